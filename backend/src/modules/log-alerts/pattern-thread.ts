import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { reasonOf } from '../../core/errors/index.js';
import type { Pattern } from './line-match.js';
import type { MatchAnswer, MatchRequest } from './match-worker.js';

/** Starting a thread takes some 50 ms; a machine that has no time for it is no fault of a pattern. */
const START_MS = 30_000;
/** A thread that nobody needed for so long is ended; the next batch starts another. */
const IDLE_MS = 60_000;
const MEMORY_MB = 64;

/** A regular expression took longer than it may, or more memory, and its thread was ended. */
export class PatternStopped extends Error {}

/** The text is no regular expression. */
export class PatternRefused extends Error {}

/** Runs regular expressions in a thread beside, which is ended when one does not come back. */
export class PatternThread {
  private worker: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private idle: ReturnType<typeof setTimeout> | undefined;

  /**
   * Looks which of some texts a pattern fits; one call after the other.
   * @param limitMs how long it may take, not counted until the thread is up.
   * @returns their places, ascending.
   * @throws PatternStopped or PatternRefused
   */
  match(pattern: Pattern, texts: readonly string[], limitMs: number): Promise<number[]> {
    const next = this.last.then(() => this.matchNow({ ...pattern, texts }, limitMs));
    this.last = next.catch(() => undefined);
    return next;
  }

  /** Ends the thread. What it was at work on is stopped. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = undefined;
    await (await worker?.catch(() => undefined))?.terminate();
  }

  private async matchNow(request: MatchRequest, limitMs: number): Promise<number[]> {
    clearTimeout(this.idle);
    this.worker ??= start();
    const worker = await this.worker.catch((error: unknown) => {
      this.worker = undefined;
      throw error;
    });
    let answer: MatchAnswer;
    try {
      answer = await ask<MatchAnswer>(worker, request, limitMs);
    } catch (error) {
      this.worker = undefined;
      await worker.terminate();
      throw new PatternStopped(reasonOf(error), { cause: error });
    }
    this.idle = setTimeout(() => void this.end(), IDLE_MS);
    this.idle.unref();
    if ('refused' in answer) throw new PatternRefused(answer.refused);
    return answer.matches;
  }
}

async function start(): Promise<Worker> {
  // Beside this file, built or as it was written.
  const file = new URL(`./match-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    stderr: true,
    env: {},
  });
  worker.unref();
  try {
    await ask<'ready'>(worker, 'ready', START_MS);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  // Without a listener an error of the thread would be one of the process.
  worker.on('error', () => undefined);
  return worker;
}

/** @throws Error where there is no answer within the limit, or the thread ends. */
function ask<TAnswer>(worker: Worker, request: unknown, limitMs: number): Promise<TAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      work();
    };
    const onMessage = (answer: TAnswer): void => settle(() => resolve(answer));
    const onError = (error: Error): void => settle(() => reject(error));
    const onExit = (): void => settle(() => reject(new Error('its thread was ended')));
    const tooLong = (): void => settle(() => reject(new Error(`it took longer than ${limitMs} ms`)));
    // An answer may be here already, and only this thread have been busy: it is let in first.
    const timer = setTimeout(() => setImmediate(tooLong), limitMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(request);
  });
}
