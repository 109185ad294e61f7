import { inject, Service } from '@angular/core';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { ErrorBody, LineDto } from '../../../shared/api/api-types';
import { SignInAgain } from '../../../shared/session/sign-in-again';
import { SignInSession } from '../../../shared/session/sign-in-session';

/** Most matches that the page holds; older ones are found by a shorter period. */
export const MOST_MATCHES = 10_000;

export type SearchEnd = 'complete' | 'limit' | 'timeout';

export type SearchEvent =
  | { type: 'match'; line: LineDto }
  | { type: 'progress'; searched: number; time: string | null }
  | { type: 'end'; searched: number; matched: number; reason: SearchEnd; before: string | null };

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Searches what is kept; what is found is told while it is looked for. */
@Service()
export class LineSearch {
  private readonly session = inject(SignInSession);
  private readonly again = inject(SignInAgain);

  /** The events of a search, as many as came at once in each. @throws ApiProblem */
  async *run(parameters: Parameters, signal: AbortSignal): AsyncGenerator<SearchEvent[]> {
    const body = await this.ask(parameters, signal);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const lines = (rest + value).split('\n');
        rest = lines.pop() ?? '';
        yield lines.filter(Boolean).map((line) => JSON.parse(line) as SearchEvent);
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  private async ask(parameters: Parameters, signal: AbortSignal): Promise<ReadableStream<BufferSource>> {
    let answer = await this.fetch(parameters, signal);
    if (answer.status === 401 && (await this.again.takeUp())) answer = await this.fetch(parameters, signal);
    if (answer.ok && answer.body) return answer.body;
    const problem = (await answer.json().catch(() => null)) as ErrorBody | null;
    throw new ApiProblem(
      problem?.code ?? 'unreadable',
      problem?.message ?? `The answer cannot be understood (status ${answer.status}).`,
      answer.status,
    );
  }

  private async fetch(parameters: Parameters, signal: AbortSignal): Promise<Response> {
    const { token } = this.session;
    const headers: Record<string, string> = { accept: 'application/x-ndjson' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    try {
      return await fetch(`/api/search?${searchText(parameters)}`, { headers, signal });
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

/** Parameters as an address holds them; a list is a name several times. */
export function searchText(parameters: Parameters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const part of typeof value === 'object' ? value : [value]) search.append(name, String(part));
  }
  return search.toString();
}
