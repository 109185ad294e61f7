import { randomUUID } from 'node:crypto';
import type { ApiResponse } from './api-client.js';
import { signIn } from './signed-in.js';
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

/** @param headers of a signed-in user; by default, the user signs in with the password of the tests. */
export async function requestToken(
  app: Pick<TestApp, 'client'>,
  { name = `ci-${randomUUID()}`, scope = 'read', expires_at = inDays(7) }: WantedToken = {},
  headers?: Record<string, string>,
): Promise<ApiResponse> {
  const { bearer } = headers === undefined ? await signIn(app) : { bearer: headers };
  const body = { name, scope, expires_at };
  return await app.client.send('POST', '/api/auth/tokens', { body, headers: bearer });
}

/** @throws Error when it is not created. */
export async function createToken(
  app: Pick<TestApp, 'client'>,
  wanted: WantedToken = {},
  headers?: Record<string, string>,
): Promise<TestToken> {
  const response = await requestToken(app, wanted, headers);
  if (response.status !== 201) {
    throw new Error(`the token was not created: ${response.status} ${response.text}`);
  }
  const { id, token } = response.body as { id: string; token: string };
  return { id, token, bearer: { authorization: `Bearer ${token}` } };
}
