import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';
import { ipv6Groups, plainAddress } from '../../core/security/index.js';

/** Failed attempts without a wait. After that, each one doubles the wait. */
const FREE_ATTEMPTS = 5;
const MAX_WAIT_S = 60;
/** Without attempts for this long, the count is reset. */
const FORGET_MS = 15 * 60_000;
/** Entries per map. Beyond this, the one with the oldest attempt is dropped. */
const MAX_REMEMBERED = 10_000;
/** Maximum delay that attempts from other addresses can cause for a name. The right password still works. */
const MAX_NAME_DELAY_MS = 2000;

interface Attempts {
  failed: number;
  /** Start of the newest attempt, from `performance.now()`. */
  at: number;
}

export interface SignInClient {
  address: string;
  browser?: string | undefined;
}

/**
 * Limits password guessing. After each failed attempt an address, or a known browser by a count of its own, waits
 * longer, up to a minute. Attempts on a name are only delayed: rejecting them would let anyone lock its owner out.
 */
@Injectable()
export class SignInLimits {
  private readonly clients = new FailedAttempts();
  private readonly names = new FailedAttempts();

  /**
   * Counts an attempt as failed until `succeeded`, so that concurrent attempts all count.
   * @returns delay before the attempt, in milliseconds.
   * @throws DomainError `too_many_requests` with the seconds to wait.
   */
  start(client: SignInClient, name: string): number {
    const seconds = this.waitOf(client);
    if (seconds > 0) {
      throw new DomainError(
        'too_many_requests',
        `Too many failed sign-ins from this ${client.browser === undefined ? 'address' : 'browser'}. Try again in ${seconds} s.`,
        { retry_after_seconds: seconds },
      );
    }
    const key = keyOf(name);
    const delayMs =
      client.browser === undefined
        ? Math.min(MAX_NAME_DELAY_MS, 100 * 2 ** Math.max(0, this.names.failed(key) - FREE_ATTEMPTS) - 100)
        : 0;
    this.clients.add(clientKey(client));
    this.names.add(key);
    return delayMs;
  }

  /** Seconds until the next attempt is allowed. */
  waitOf(client: SignInClient): number {
    return Math.ceil(this.clients.wait(clientKey(client)) / 1000);
  }

  /** For an attempt without the password, which says nothing about those before it. */
  revert(client: SignInClient, name: string): void {
    this.clients.revert(clientKey(client));
    this.names.revert(keyOf(name));
  }

  succeeded(client: SignInClient, name: string): void {
    this.clients.forget(clientKey(client));
    this.names.revert(keyOf(name));
  }
}

/** A bounded map of failed attempts by key, newest last. */
class FailedAttempts {
  private readonly attempts = new Map<string, Attempts>();

  failed(key: string): number {
    return this.recent(key)?.failed ?? 0;
  }

  wait(key: string): number {
    const attempts = this.recent(key);
    if (!attempts || attempts.failed < FREE_ATTEMPTS) return 0;
    const seconds = Math.min(MAX_WAIT_S, 2 ** (attempts.failed - FREE_ATTEMPTS));
    return Math.max(0, attempts.at + seconds * 1000 - performance.now());
  }

  add(key: string): void {
    const failed = this.failed(key) + 1;
    this.attempts.delete(key);
    this.attempts.set(key, { failed, at: performance.now() });
    const [oldest] = this.attempts.keys();
    if (this.attempts.size > MAX_REMEMBERED && oldest !== undefined) this.attempts.delete(oldest);
  }

  revert(key: string): void {
    const attempts = this.attempts.get(key);
    if (attempts) attempts.failed -= 1;
  }

  forget(key: string): void {
    this.attempts.delete(key);
  }

  private recent(key: string): Attempts | undefined {
    const attempts = this.attempts.get(key);
    if (!attempts || performance.now() - attempts.at < FORGET_MS) return attempts;
    this.attempts.delete(key);
    return undefined;
  }
}

function clientKey({ address, browser }: SignInClient): string {
  return browser === undefined ? networkOf(address) : `browser ${browser}`;
}

/** A hash, so that long names do not use more memory. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}

/** The /64 network of an IPv6 address, since one client usually controls all of it. */
function networkOf(given: string): string {
  const address = plainAddress(given);
  if (!isIPv6(address)) return address;
  return ipv6Groups(address)
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
