import type { Response } from 'express';

/**
 * Sends a page of lines without the interceptor that removes undeclared fields: for thousands of lines it takes longer
 * than reading them. These responses are built field by field.
 */
export function sendJson(response: Response, body: object): void {
  response.type('application/json').send(JSON.stringify(body));
}
