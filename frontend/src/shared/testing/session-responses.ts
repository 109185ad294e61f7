import type { TokenDto } from '../api/api-types';

/** Responses of the auth API. */
export function tokenResponse(token: string, expiresIn = 3600, renewable = false): TokenDto {
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    renewable,
    user: {
      username: 'admin',
      role: 'admin',
      session: {
        id: `session-of-${token}`,
        // Far from any real time, since pages use only the remaining seconds.
        created_at: '2001-01-01T00:00:00.000Z',
        expires_at: '2001-01-01T01:00:00.000Z',
      },
    },
  };
}

export const UNAUTHORIZED = {
  statusCode: 401,
  error: 'Unauthorized',
  message: 'Unauthorized',
  code: 'unauthorized',
  details: null,
  request_id: 'abc',
};
