import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Passport, type PassportStatic } from 'passport';
import { Strategy } from 'passport-jwt';
import { Secrets } from '../../core/secrets/index.js';
import { readBearerToken } from './tokens/bearer-token.js';
import type { Session, TokenClaims } from './session.js';
import { SessionsService } from './sessions.service.js';
import { VERIFY_OPTIONS } from './tokens/token-options.js';

/** Reads only the Bearer header: no cookie, query or body. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    secrets: Secrets,
    private readonly sessions: SessionsService,
  ) {
    super({
      jwtFromRequest: readBearerToken,
      secretOrKey: secrets.signingKey,
      ...VERIFY_OPTIONS,
    });
  }

  validate(claims: TokenClaims): Session {
    return this.sessions.ofClaims(claims);
  }

  /** An instance per application: in the process-wide one, each would replace the other's strategy. */
  getPassportInstance(): PassportStatic {
    return new Passport() as PassportStatic;
  }
}
