import { type Signal, signal } from '@angular/core';

const EVERY_MS = 2000;
const WHILE_HIDDEN_EVERY_MS = 20_000;
/** A busy server may take this long before its health is checked. */
export const QUIET_MS = 1500;
const PONG_WITHIN_MS = 5000;

interface HeartbeatOptions {
  isVisible: Signal<boolean>;
  ping: () => void;
  /** No pong came: give up the connection. */
  drop: () => void;
}

/** Pings the server of an open connection: a frozen server keeps its sockets open. */
export class Heartbeat {
  private timer: ReturnType<typeof setInterval> | undefined;
  private latePong: ReturnType<typeof setTimeout> | undefined;
  private missingPong: ReturnType<typeof setTimeout> | undefined;
  private pingedAt = 0;
  private readonly quiet = signal(false);

  /** The server owes a pong for `QUIET_MS`; the connection is not given up yet. */
  readonly isQuiet = this.quiet.asReadonly();

  constructor(private readonly options: HeartbeatOptions) {}

  start(): void {
    this.stop();
    this.timer = setInterval(() => {
      const isDue = Date.now() - this.pingedAt >= WHILE_HIDDEN_EVERY_MS;
      if (isDue || this.options.isVisible()) this.ping();
    }, EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.pong();
  }

  ping(): void {
    this.pingedAt = Date.now();
    this.options.ping();
    this.latePong ??= setTimeout(() => this.quiet.set(true), QUIET_MS);
    this.missingPong ??= setTimeout(() => this.options.drop(), PONG_WITHIN_MS);
  }

  /** The server has answered. */
  pong(): void {
    clearTimeout(this.latePong);
    clearTimeout(this.missingPong);
    this.latePong = undefined;
    this.missingPong = undefined;
    this.quiet.set(false);
  }
}
