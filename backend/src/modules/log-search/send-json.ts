import type { Response } from 'express';

/**
 * Answers with a page of lines. The interceptor that lets only declared fields out looks at each field of each of
 * thousands of lines for longer than they took to be read; these answers are put together field by field.
 */
export function sendJson(response: Response, body: object): void {
  response.type('application/json').send(JSON.stringify(body));
}
