import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { guardedTimeout } from '../../core/errors/index.js';
import { JournalService, shortId } from '../journal/index.js';
import { actorOf, type AccessToken } from './access-tokens/access-token.js';
import { actorOfSession, type Session } from './session.js';

const MINUTES = 10;
/** The first failed sign-in of an address is recorded at once; further ones within this time share one entry. */
const GROUP_MS = MINUTES * 60_000;
/**
 * Addresses with entries of their own; all others share one. An attack from many addresses therefore writes at most 21
 * entries in 10 minutes (1.1 million a year) and cannot push other entries out of the journal.
 */
const MAX_ADDRESSES = 10;
const MAX_OTHERS = 1000;
/** Addresses or sessions that one entry lists. */
const MAX_NAMED = 20;

interface Group {
  further: number;
  timer: ReturnType<typeof setTimeout>;
}

interface Others {
  count: number;
  addresses: Set<string>;
  timer: ReturnType<typeof setTimeout>;
}

@Injectable()
export class SignInJournal implements OnModuleDestroy {
  private readonly groups = new Map<string, Group>();
  private others: Others | undefined;
  /** When a display of each access token, or a read-only session of each address, was last recorded. */
  private readonly displays = new Map<string, number>();

  constructor(private readonly journal: JournalService) {}

  onModuleDestroy(): void {
    for (const address of this.groups.keys()) this.finish(address);
    this.finishOthers();
  }

  signedIn(session: Session, by: 'password' | 'link'): void {
    this.journal.record({
      kind: 'session-sign-in',
      message: by === 'link' ? 'Signed in with a one-time link.' : 'Signed in.',
      actor: actorOfSession(session, session.address),
    });
  }

  /** Call it before the link is handed out. */
  createdLink(): void {
    this.journal.record({ kind: 'session-link', message: 'Created a one-time sign-in link.' });
  }

  /** The first of a token within the time of a group, so that displays cannot push other entries out either. */
  openedDisplay(token: AccessToken, address: string): void {
    if (!this.isFirst(token.id)) return;
    this.journal.record({
      kind: 'session-sign-in',
      message: `Opened a display with the access token ${token.name}.`,
      actor: actorOf(token, address),
    });
  }

  /** The first of an address within the time of a group. */
  openedReadOnly(session: Session): void {
    if (!this.isFirst(session.address)) return;
    this.journal.record({
      kind: 'session-sign-in',
      message: 'Signed in with the read-only password.',
      actor: actorOfSession(session, session.address),
    });
  }

  private isFirst(key: string): boolean {
    const now = performance.now();
    for (const [other, at] of this.displays) if (now - at >= GROUP_MS) this.displays.delete(other);
    if (this.displays.has(key)) return false;
    this.displays.set(key, now);
    return true;
  }

  signedOut(session: Session, address: string): void {
    this.journal.recordEventually({
      kind: 'session-sign-out',
      message: 'Signed out.',
      actor: actorOfSession(session, address),
    });
  }

  /** Call it before the sessions end, while their details can be read. */
  ending(sessions: readonly Session[]): void {
    const named = sessions.slice(0, MAX_NAMED).map(({ id, address }) => `${shortId(id)} from ${address}`);
    const left = sessions.length - named.length;
    const list = `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
    this.journal.record({
      kind: 'session-end',
      message:
        sessions.length === 1 ? `Ended session ${list}.` : `Ended ${sessions.length} sessions: ${list}.`,
    });
  }

  /** Without the user name: users sometimes type their password into that field. */
  failed(address: string): void {
    const group = this.groups.get(address);
    if (group) {
      group.further += 1;
    } else if (this.groups.size < MAX_ADDRESSES) {
      this.recordFailed(address, `A sign-in from ${address} failed.`);
      this.groups.set(address, { further: 0, timer: later(() => this.finish(address)) });
    } else {
      this.others ??= { count: 0, addresses: new Set(), timer: later(() => this.finishOthers()) };
      this.others.count += 1;
      if (this.others.addresses.size < MAX_OTHERS) this.others.addresses.add(address);
    }
  }

  private finish(address: string): void {
    const group = this.groups.get(address);
    this.groups.delete(address);
    clearTimeout(group?.timer);
    const further = group?.further ?? 0;
    if (further === 0) return;
    this.recordFailed(
      address,
      `${signIns(further, 'more ')} from ${address} failed within ${MINUTES} minutes.`,
    );
  }

  private finishOthers(): void {
    const { others } = this;
    if (!others) return;
    this.others = undefined;
    clearTimeout(others.timer);
    const { size } = others.addresses;
    const named = [...others.addresses].slice(0, MAX_NAMED).join(', ');
    const many = size === MAX_OTHERS ? `at least ${size}` : String(size);
    this.recordFailed(
      null,
      `${signIns(others.count)} from ${many} other ${size === 1 ? 'address' : 'addresses'} failed within ${MINUTES} minutes: ${named}${size > MAX_NAMED ? ', …' : '.'}`,
    );
  }

  private recordFailed(address: string | null, message: string): void {
    this.journal.recordEventually({
      kind: 'session-sign-in',
      outcome: 'failed',
      message,
      actor: { kind: 'anonymous', user: 'anonymous', id: null, address },
    });
  }
}

function signIns(count: number, more = ''): string {
  return `${count} ${more}${count === 1 ? 'sign-in' : 'sign-ins'}`;
}

function later(work: () => void): ReturnType<typeof setTimeout> {
  return guardedTimeout(work, GROUP_MS, 'record sign-ins').unref();
}
