import type { Provider } from '@angular/core';
import { Api, type Route } from '../api/api';
import type { Operations } from '../api/api-types';

type Responses = {
  [TRoute in Route]?: (
    params: Operations[TRoute]['params'],
    body: Operations[TRoute]['body'],
    signal: AbortSignal | undefined,
  ) => unknown;
};

/** The API with the responses of a spec. Rejects other requests. */
export function fakeApi(responses: Responses): Pick<Api, 'at' | 'get' | 'send' | 'batch'> {
  const respond = async (route: string, params: unknown, ...more: unknown[]): Promise<never> => {
    const response = (responses as Record<string, ((...args: unknown[]) => unknown) | undefined>)[route];
    if (!response) throw new Error(`Unexpected request: ${route}`);
    return (await response(params ?? {}, ...more)) as never;
  };
  const send: Api['send'] = (route, ...[params, ...more]) => respond(route, params, ...more);
  return {
    at: (url) => url,
    get: (path, ...[params, signal]) => respond(`GET ${path}`, params, undefined, signal),
    send,
    batch: () => ({ send }),
  };
}

export function provideApi(responses: Responses): Provider {
  return { provide: Api, useValue: fakeApi(responses) };
}
