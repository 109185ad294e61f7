import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import { Secrets } from '../../../core/secrets/index.js';
import { JournalService } from '../../journal/index.js';
import { readBearerToken } from '../bearer-token.js';
import { hashOf, unauthorized } from '../sessions.service.js';
import { ACCESS_TOKEN, type AccessToken, type NewAccessToken } from './access-token.js';
import { AccessTokenStore } from './access-token.store.js';

/** More than one user has programs; a script that creates one with each run is stopped here. */
export const MOST_ACCESS_TOKENS = 100;
/** `last_used_at` is for a person's eyes, and each change of it is a write to the disk. */
const USED_EVERY_MS = 60_000;

/** Creates, finds and revokes access tokens. */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly store: AccessTokenStore,
    private readonly secrets: Secrets,
    private readonly journal: JournalService,
  ) {}

  /**
   * @returns the record, and the token itself, which is not kept.
   * @throws DomainError `invalid_input` where there are too many, or a live token has this name.
   */
  create(wanted: NewAccessToken): { record: AccessToken; token: string } {
    const record: AccessToken = {
      ...wanted,
      id: randomBytes(9).toString('base64url'),
      created_at: now(),
      last_used_at: null,
    };
    const token = `slipway_${randomBytes(32).toString('base64url')}`;
    const kept = { hash: hashOf(token), generation: this.secrets.generation };
    const outcome = this.store.insert(record, kept, MOST_ACCESS_TOKENS);
    if (outcome === 'taken') {
      throw invalidInput([
        {
          field: 'name',
          problem: 'already exists among the access tokens',
          hint: 'Choose another name, or revoke that token first.',
        },
      ]);
    }
    if (outcome === 'full') {
      throw invalidInput([
        {
          field: 'name',
          problem: `is one too many: there are ${MOST_ACCESS_TOKENS} access tokens already`,
          hint: 'Revoke one that is not used.',
        },
      ]);
    }
    this.journal.record({
      kind: 'token-create',
      subject: record.name,
      outcome: 'succeeded',
      message: `Created the access token ${record.name} (${record.id}) with the scope ${record.scope}. It expires at ${record.expires_at.replace(/\.\d+/, '')}.`,
    });
    return { record, token };
  }

  list(): AccessToken[] {
    return this.store.listLive(this.secrets.generation, now());
  }

  /** A live token by its id. */
  find(id: string): AccessToken | undefined {
    return this.store.live(id, this.secrets.generation, now());
  }

  /** @throws DomainError `unauthorized` */
  ofToken(token: string): AccessToken {
    const found = this.store.liveByHash(hashOf(token), this.secrets.generation, now());
    if (!found) throw unauthorized();
    if (found.last_used_at === null || Date.now() - Date.parse(found.last_used_at) >= USED_EVERY_MS) {
      this.store.used(found.id, now());
    }
    return found;
  }

  /**
   * The access token in the header of a request; undefined where there is none, or something else.
   * @throws DomainError `unauthorized` for one that is unknown, revoked or expired.
   */
  shownBy(request: IncomingMessage): AccessToken | undefined {
    const shown = readBearerToken(request);
    return shown !== null && ACCESS_TOKEN.test(shown) ? this.ofToken(shown) : undefined;
  }

  /** @throws DomainError `access_token_not_found` */
  revoke(id: string): void {
    const token = this.find(id);
    if (!token) {
      throw new DomainError(
        'access_token_not_found',
        'This access token does not exist. It has expired or was revoked before.',
      );
    }
    this.store.delete(id);
    this.journal.record({
      kind: 'token-revoke',
      subject: token.name,
      outcome: 'succeeded',
      message: `Revoked the access token ${token.name} (${id}) with the scope ${token.scope}.`,
    });
  }
}

function now(): string {
  return new Date().toISOString();
}
