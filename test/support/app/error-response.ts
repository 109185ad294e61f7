import { expect } from '@jest/globals';
import type { ApiResponse, ErrorResponse } from './api-client.js';

/** An error of this code, in the one shape, whole: nothing missing, nothing more. */
export function expectError(response: ApiResponse, status: number, code: string): ErrorResponse {
  expect(
    `${response.status} ${(response.body as ErrorResponse | undefined)?.code ?? response.text.slice(0, 200)}`,
  ).toBe(`${status} ${code}`);
  const body = response.body as ErrorResponse;
  expect(Object.keys(body).sort()).toEqual([
    'code',
    'details',
    'error',
    'message',
    'request_id',
    'statusCode',
  ]);
  expect(body.statusCode).toBe(status);
  expect(body.message.length).toBeGreaterThan(10);
  expect(body.request_id).toMatch(/^[0-9a-f]{16}$/);
  expect(response.headers['x-request-id']).toBe(body.request_id);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  return body;
}

/** Problems of a refused request, by field. */
export function problemsOf(response: ApiResponse): Record<string, string> {
  const { details } = expectError(response, 400, 'invalid_input');
  return Object.fromEntries(
    (details as { field: string; problem: string }[]).map(({ field, problem }) => [field, problem]),
  );
}
