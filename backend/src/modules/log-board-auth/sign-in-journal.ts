import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { JournalService } from '../journal/index.js';
import type { Session } from './session.js';

/** Failed sign-ins of one address within this time are one entry, after the first, which has its own at once. */
const GROUP_MS = 10 * 60_000;
/** Addresses that are counted; of others each failed sign-in has its entry. */
const MOST_ADDRESSES = 1000;

interface Group {
  further: number;
  timer: ReturnType<typeof setTimeout>;
}

/** Records who signed in and out, and who tried to. */
@Injectable()
export class SignInJournal implements OnModuleDestroy {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly journal: JournalService) {}

  onModuleDestroy(): void {
    for (const address of this.groups.keys()) this.finish(address);
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

  /** Without the name that was tried: people type their password into its field. */
  failed(address: string): void {
    const group = this.groups.get(address);
    if (group) {
      group.further += 1;
      return;
    }
    this.recordFailed(address, `A sign-in from ${address} failed.`);
    if (this.groups.size >= MOST_ADDRESSES) return;
    const timer = setTimeout(() => this.finish(address), GROUP_MS);
    timer.unref();
    this.groups.set(address, { further: 0, timer });
  }

  private finish(address: string): void {
    const group = this.groups.get(address);
    this.groups.delete(address);
    clearTimeout(group?.timer);
    const further = group?.further ?? 0;
    if (further === 0) return;
    const [what, minutes] = [further === 1 ? 'sign-in' : 'sign-ins', GROUP_MS / 60_000];
    this.recordFailed(address, `${further} more ${what} from ${address} failed within ${minutes} minutes.`);
  }

  private recordFailed(address: string, message: string): void {
    this.journal.record({
      kind: 'session-sign-in',
      outcome: 'failed',
      message,
      actor: { kind: 'anonymous', user: 'anonymous', id: null, address },
    });
  }
}
