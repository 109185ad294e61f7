import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError, invalidField } from '../../../core/errors/index.js';
import { writeIfPossible } from '../../../core/storage/index.js';
import { Secrets } from '../../../core/secrets/index.js';
import { JournalService } from '../../journal/index.js';
import { readBearerToken } from '../tokens/bearer-token.js';
import { hashOf, unauthorized } from '../tokens/secret-token.js';
import { ACCESS_TOKEN, type AccessToken, type NewAccessToken } from './access-token.js';
import { AccessTokenStore } from './access-token.store.js';

/** Stops a script that creates a token in each run. */
export const MAX_ACCESS_TOKENS = 100;
/** `last_used_at` is display only, and each update writes to disk. */
const USED_INTERVAL_MS = 60_000;

@Injectable()
export class AccessTokensService {
  constructor(
    private readonly store: AccessTokenStore,
    private readonly secrets: Secrets,
    private readonly journal: JournalService,
  ) {}

  /**
   * @returns the record, and the token itself, which is not stored.
   * @throws DomainError `invalid_input` if there are too many tokens or the name exists.
   */
  create(wanted: NewAccessToken): { record: AccessToken; token: string } {
    const record: AccessToken = {
      ...wanted,
      id: randomBytes(9).toString('base64url'),
      created_at: now(),
      last_used_at: null,
    };
    const token = `slipway_${randomBytes(32).toString('base64url')}`;
    const stored = { hash: hashOf(token), generation: this.secrets.generation };
    const outcome = this.store.insert(record, stored, MAX_ACCESS_TOKENS);
    if (outcome === 'taken') {
      throw invalidField('name', 'already exists', 'Choose another name, or revoke that token first.');
    }
    if (outcome === 'full') {
      throw invalidField(
        'name',
        `cannot be added: there are ${MAX_ACCESS_TOKENS} access tokens already`,
        'Revoke an unused access token.',
      );
    }
    this.journal.record({
      kind: 'token-create',
      subject: record.name,
      message: `Created the access token ${record.name} (${record.id}) with the scope ${record.scope}. It expires at ${record.expires_at.replace(/\.\d+/, '')}.`,
    });
    return { record, token };
  }

  list(): AccessToken[] {
    return this.store.listLive(this.secrets.generation, now());
  }

  find(id: string): AccessToken | undefined {
    return this.store.live('id', id, this.secrets.generation, now());
  }

  /** @throws DomainError `unauthorized` */
  ofToken(token: string): AccessToken {
    const found = this.findByToken(token);
    if (!found) throw unauthorized();
    return found;
  }

  findByToken(token: string): AccessToken | undefined {
    const found = this.store.live('hash', hashOf(token), this.secrets.generation, now());
    if (
      found &&
      (found.last_used_at === null || Date.now() - Date.parse(found.last_used_at) >= USED_INTERVAL_MS)
    ) {
      writeIfPossible(() => this.store.used(found.id, now()));
    }
    return found;
  }

  /**
   * The access token in the Authorization header; undefined if the header has none.
   * @throws DomainError `unauthorized` if it is unknown, revoked or expired.
   */
  fromRequest(request: IncomingMessage): AccessToken | undefined {
    const token = readBearerToken(request);
    return token !== null && ACCESS_TOKEN.test(token) ? this.ofToken(token) : undefined;
  }

  revoke(id: string): void {
    const token = this.find(id);
    if (!token) {
      throw new DomainError(
        'access_token_not_found',
        'The access token does not exist. It has expired or has been revoked.',
      );
    }
    this.store.delete(id);
    this.journal.recordEventually({
      kind: 'token-revoke',
      subject: token.name,
      message: `Revoked the access token ${token.name} (${id}) with the scope ${token.scope}.`,
    });
  }
}

function now(): string {
  return new Date().toISOString();
}
