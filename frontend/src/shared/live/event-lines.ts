import { inject, Service } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import type { ErrorBody } from '../api/api-types';
import { SignInAgain } from '../session/sign-in-again';
import { SignInSession } from '../session/sign-in-session';

/** Reads streamed responses with one JSON object per line. */
@Service()
export class EventLines {
  private readonly session = inject(SignInSession);
  private readonly again = inject(SignInAgain);

  /** The events of a response, in the batches in which they arrive. @throws ApiProblem */
  async *read<TEvent>(address: string, signal: AbortSignal): AsyncGenerator<TEvent[]> {
    const body = await this.request(address, signal);
    // The stream is open, even if its first event comes later.
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

  private async request(address: string, signal: AbortSignal): Promise<ReadableStream<BufferSource>> {
    let response = await this.fetch(address, signal);
    if (response.status === 401 && (await this.again.recover())) response = await this.fetch(address, signal);
    if (response.ok && response.body) return response.body;
    const problem = (await response.json().catch(() => null)) as ErrorBody | null;
    throw new ApiProblem(
      problem?.code ?? 'unreadable',
      problem?.message ?? $localize`Unexpected response (status ${response.status}:status:).`,
      response.status,
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
        $localize`Slipway does not respond. Check that it is running, then try again.`,
        0,
      );
    }
  }
}
