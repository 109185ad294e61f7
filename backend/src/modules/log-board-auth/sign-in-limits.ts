import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { plainAddress } from '../../core/security/index.js';

/** Wrong tries that a person makes. From then on each one doubles the wait. */
const FREE_TRIES = 5;
const LONGEST_WAIT_S = 60;
/** A quiet quarter of an hour is forgiven. */
const FORGET_MS = 15 * 60_000;
/** Addresses and browsers, and names, that are remembered; beyond it the one that was quiet longest is forgotten. */
const MOST_REMEMBERED = 10_000;
/** Longest that tries from elsewhere may slow a name down: a right password is still let in. */
const SLOWEST_NAME_MS = 2000;

interface Tries {
  failed: number;
  /** When the newest began, by the clock of this process. */
  at: number;
}

/** Who tries to sign in: a browser that has done so before, or anyone else at an address. */
export interface Trier {
  address: string;
  /** Id of the known browser. */
  browser?: string | undefined;
}

/**
 * Bounds the guessing of passwords. After each wrong try an address waits longer, up to a minute; so does a known browser,
 * by a count of its own. A name is only slowed: to refuse it would let anyone lock its owner out.
 */
@Injectable()
export class SignInLimits {
  private readonly triers = new RecentTries();
  private readonly names = new RecentTries();

  /**
   * Counts a try as wrong until `succeeded` takes it back, so that many at once count as many.
   * @returns how long it is to be held back, in milliseconds.
   * @throws DomainError `too_many_requests` with the seconds to wait.
   */
  begin(trier: Trier, name: string): number {
    const seconds = this.waitOf(trier);
    if (seconds > 0) {
      throw new DomainError(
        'too_many_requests',
        `There were too many wrong tries from this ${trier.browser === undefined ? 'address' : 'browser'}. Wait ${seconds} s, then try again.`,
        { retry_after_seconds: seconds },
      );
    }
    const key = keyOf(name);
    const slowness =
      trier.browser === undefined
        ? Math.min(SLOWEST_NAME_MS, 100 * 2 ** Math.max(0, this.names.failed(key) - FREE_TRIES) - 100)
        : 0;
    this.triers.add(keyOfTrier(trier));
    this.names.add(key);
    return slowness;
  }

  /** Seconds until the next try is taken. */
  waitOf(trier: Trier): number {
    return Math.ceil(this.triers.wait(keyOfTrier(trier)) / 1000);
  }

  succeeded(trier: Trier, name: string): void {
    this.triers.forget(keyOfTrier(trier));
    this.names.takeBack(keyOf(name));
  }
}

/** Wrong tries by key, newest last, bounded in number. */
class RecentTries {
  private readonly tries = new Map<string, Tries>();

  failed(key: string): number {
    return this.recent(key)?.failed ?? 0;
  }

  /** Milliseconds until the next try is taken. */
  wait(key: string): number {
    const tries = this.recent(key);
    if (!tries || tries.failed < FREE_TRIES) return 0;
    const seconds = Math.min(LONGEST_WAIT_S, 2 ** (tries.failed - FREE_TRIES));
    return Math.max(0, tries.at + seconds * 1000 - performance.now());
  }

  add(key: string): void {
    const failed = this.failed(key) + 1;
    this.tries.delete(key);
    this.tries.set(key, { failed, at: performance.now() });
    const [oldest] = this.tries.keys();
    if (this.tries.size > MOST_REMEMBERED && oldest !== undefined) this.tries.delete(oldest);
  }

  takeBack(key: string): void {
    const tries = this.tries.get(key);
    if (tries) tries.failed -= 1;
  }

  forget(key: string): void {
    this.tries.delete(key);
  }

  private recent(key: string): Tries | undefined {
    const tries = this.tries.get(key);
    if (!tries || performance.now() - tries.at < FORGET_MS) return tries;
    this.tries.delete(key);
    return undefined;
  }
}

function keyOfTrier({ address, browser }: Trier): string {
  return browser === undefined ? networkOf(address) : `browser ${browser}`;
}

/** As long as any other, however long a name was sent. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}

/** Who has one address of IPv6 has 2^64 of them: they count as one. */
function networkOf(given: string): string {
  const address = plainAddress(given);
  if (isIPv4(address) || !isIPv6(address)) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + after.length < 8) groups.push('0');
  return [...groups, ...after]
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
