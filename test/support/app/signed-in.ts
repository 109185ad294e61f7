import type { ApiResponse } from './api-client.js';
import { LOG_BOARD_PASSWORD } from './log-board-password.js';
import type { TestApp } from './start-app.js';

/** The result of a sign-in. */
export interface SignedIn {
  token: string;
  cookie: string;
  id: string;
  expiresAt: string;
  /** Headers of a request with the token. */
  bearer: { authorization: string };
}

interface LoginTry {
  username?: string;
  password?: string;
  scope?: string;
  from?: string;
}

/** A page's own request, as a browser marks it. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** @param try `from` is an address of this machine: each has its own count of wrong tries. */
export async function login(
  { client }: Pick<TestApp, 'client'>,
  { username = 'admin', password = LOG_BOARD_PASSWORD, scope, from }: LoginTry = {},
): Promise<ApiResponse> {
  return await client.send('POST', '/api/auth/login', { body: { username, password, scope }, from });
}

/** The cookie of a session as the application at another port of the same host name gets it. */
export function cookieAt({ port }: Pick<TestApp, 'port'>, { cookie }: Pick<SignedIn, 'cookie'>): string {
  return cookie.replace(/_\d+=/, `_${port}=`);
}

/** @throws Error when the sign-in is refused. */
export async function signIn(app: Pick<TestApp, 'client'>, password = LOG_BOARD_PASSWORD): Promise<SignedIn> {
  const response = await login(app, { password });
  if (response.status !== 200) throw new Error(`the sign-in returned ${response.status}: ${response.text}`);
  const { access_token: token, user } = response.body as {
    access_token: string;
    user: { session: { id: string; expires_at: string } };
  };
  return {
    token,
    cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    id: user.session.id,
    expiresAt: user.session.expires_at,
    bearer: { authorization: `Bearer ${token}` },
  };
}
