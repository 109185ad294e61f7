import { processUserName } from '../../core/security/index.js';
import type { Session } from './session.js';

/** Ids of sessions are random and longer. */
const ID = 'owner';
const STARTED_AT = new Date().toISOString();

/** The session of the holder of the owner token. It is in no database, and lasts as long as this process. */
export function ownerSession(): Session {
  return {
    id: ID,
    username: processUserName(),
    address: '127.0.0.1',
    user_agent: '',
    created_at: STARTED_AT,
    expires_at: '9999-12-31T23:59:59.000Z',
    last_seen_at: STARTED_AT,
    token_id: null,
    scope: 'full',
    password_at: null,
  };
}

export function isOwner({ id }: Pick<Session, 'id'>): boolean {
  return id === ID;
}
