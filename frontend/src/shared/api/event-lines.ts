import { inject, Service } from '@angular/core';
import { SignInAgain } from '../session/sign-in-again';
import { SignInSession } from '../session/sign-in-session';
import { ApiProblem } from './api-problem';
import type { ErrorBody } from './api-types';

/** Reads answers that tell what comes of them as it comes: one object of JSON a line. */
@Service()
export class EventLines {
  private readonly session = inject(SignInSession);
  private readonly again = inject(SignInAgain);

  /** The events of an answer, as many as came at once in each. @throws ApiProblem */
  async *read<TEvent>(address: string, signal: AbortSignal): AsyncGenerator<TEvent[]> {
    const body = await this.ask(address, signal);
    // It is there, though nothing of it may come for long.
    yield [];
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split('\n');
        rest = lines.pop() ?? '';
        yield lines.filter(Boolean).map((line) => JSON.parse(line) as TEvent);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  private async ask(address: string, signal: AbortSignal): Promise<ReadableStream<BufferSource>> {
    let answer = await this.fetch(address, signal);
    if (answer.status === 401 && (await this.again.takeUp())) answer = await this.fetch(address, signal);
    if (answer.ok && answer.body) return answer.body;
    const problem = (await answer.json().catch(() => null)) as ErrorBody | null;
    throw new ApiProblem(
      problem?.code ?? 'unreadable',
      problem?.message ?? `The answer cannot be understood (status ${answer.status}).`,
      answer.status,
    );
  }

  private async fetch(address: string, signal: AbortSignal): Promise<Response> {
    const { token } = this.session;
    const headers: Record<string, string> = { accept: 'application/x-ndjson' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    try {
      return await fetch(address, { headers, signal });
    } catch (error) {
      if (signal.aborted) throw error;
      throw new ApiProblem(
        'offline',
        'Slipway does not answer. Is it still running? Try again once it does.',
        0,
      );
    }
  }
}
