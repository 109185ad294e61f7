import { createInterface } from 'node:readline';

/** Whether there is a user to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks a question of yes or no. The default is no.
 * @param signal withdraws the question; the result is then no.
 */
export async function ask(question: string, signal?: AbortSignal): Promise<boolean> {
  // Not `terminal`: the system keeps editing the line, and Ctrl+C stays a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('close', () => resolve(''));
      signal?.addEventListener('abort', () => resolve(''), { once: true });
      lines.question(`${question} [y/N] `, resolve);
    });
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    lines.close();
  }
}
