import { randomUUID } from 'node:crypto';
import type { ApiResponse } from './api-client.js';
import type { TestApp } from './start-app.js';

/** An access token as its creation returns it. */
export interface TestToken {
  id: string;
  token: string;
  bearer: { authorization: string };
}

export interface WantedToken {
  name?: string;
  scope?: string;
  expires_at?: string;
}

export function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 3600_000).toISOString();
}

export async function requestToken(
  { client }: Pick<TestApp, 'client'>,
  { name = `ci-${randomUUID()}`, scope = 'read', expires_at = inDays(7) }: WantedToken = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  return await client.send('POST', '/api/auth/tokens', { body: { name, scope, expires_at }, headers });
}

/** @throws Error when it is not created. */
export async function createToken(
  app: Pick<TestApp, 'client'>,
  wanted: WantedToken = {},
  headers: Record<string, string> = {},
): Promise<TestToken> {
  const answer = await requestToken(app, wanted, headers);
  if (answer.status !== 201) throw new Error(`the token was not created: ${answer.status} ${answer.text}`);
  const { id, token } = answer.body as { id: string; token: string };
  return { id, token, bearer: { authorization: `Bearer ${token}` } };
}
