import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { JournalService, shortId } from '../journal/index.js';
import type { Session } from './session.js';

const MINUTES = 10;
/** Failed sign-ins of one address within this time are one entry, after the first, which has its own at once. */
const GROUP_MS = MINUTES * 60_000;
/**
 * Addresses with entries of their own; the failed sign-ins of all others are one entry. An attack from many addresses
 * writes at most 21 entries in ten minutes, some 1,100,000 a year: it cannot push the rest of the journal out.
 */
const MOST_ADDRESSES = 10;
/** Other addresses that are counted, and of those the ones that the entry names. */
const MOST_OTHERS = 1000;
const MOST_NAMED = 20;

interface Group {
  further: number;
  timer: ReturnType<typeof setTimeout>;
}

interface Others {
  count: number;
  addresses: Set<string>;
  timer: ReturnType<typeof setTimeout>;
}

/** Records who signed in and out, and who tried to. */
@Injectable()
export class SignInJournal implements OnModuleDestroy {
  private readonly groups = new Map<string, Group>();
  private others: Others | undefined;

  constructor(private readonly journal: JournalService) {}

  onModuleDestroy(): void {
    for (const address of this.groups.keys()) this.finish(address);
    this.finishOthers();
  }

  signedIn({ id, username: user, address }: Session, by: 'password' | 'link'): void {
    this.journal.record({
      kind: 'session-sign-in',
      outcome: 'succeeded',
      message: by === 'link' ? 'Signed in by a one-time link.' : 'Signed in.',
      actor: { kind: 'session', user, id, address },
    });
  }

  signedOut({ id, username: user }: Session, address: string): void {
    this.journal.record({
      kind: 'session-sign-out',
      outcome: 'succeeded',
      message: 'Signed out.',
      actor: { kind: 'session', user, id, address },
    });
  }

  /** Ends by another session; recorded before they end. */
  ending(sessions: readonly Session[]): void {
    const named = sessions.slice(0, MOST_NAMED).map(({ id, address }) => `${shortId(id)} from ${address}`);
    const left = sessions.length - named.length;
    const list = `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
    this.journal.record({
      kind: 'session-end',
      outcome: 'succeeded',
      message:
        sessions.length === 1 ? `Ended session ${list}.` : `Ended ${sessions.length} sessions: ${list}.`,
    });
  }

  /** Without the name that was tried: people type their password into its field. */
  failed(address: string): void {
    const group = this.groups.get(address);
    if (group) {
      group.further += 1;
    } else if (this.groups.size < MOST_ADDRESSES) {
      this.recordFailed(address, `A sign-in from ${address} failed.`);
      this.groups.set(address, { further: 0, timer: later(() => this.finish(address)) });
    } else {
      this.others ??= { count: 0, addresses: new Set(), timer: later(() => this.finishOthers()) };
      this.others.count += 1;
      if (this.others.addresses.size < MOST_OTHERS) this.others.addresses.add(address);
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
    const named = [...others.addresses].slice(0, MOST_NAMED).join(', ');
    const many = size === MOST_OTHERS ? `at least ${size}` : String(size);
    this.recordFailed(
      null,
      `${signIns(others.count)} from ${many} other ${size === 1 ? 'address' : 'addresses'} failed within ${MINUTES} minutes: ${named}${size > MOST_NAMED ? ', …' : '.'}`,
    );
  }

  private recordFailed(address: string | null, message: string): void {
    this.journal.record({
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
  return setTimeout(work, GROUP_MS).unref();
}
