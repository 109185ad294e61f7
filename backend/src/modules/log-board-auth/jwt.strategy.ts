import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Passport, type PassportStatic } from 'passport';
import { Strategy } from 'passport-jwt';
import { Secrets } from '../../core/secrets/index.js';
import { readBearerToken } from './bearer-token.js';
import type { Session, TokenClaims } from './session.js';
import { SessionsService } from './sessions.service.js';
import { ALGORITHM, AUDIENCE } from './token-options.js';

/** Reads the Bearer header, and nothing else: no cookie, no query, no body. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(
    secrets: Secrets,
    private readonly sessions: SessionsService,
  ) {
    super({
      jwtFromRequest: readBearerToken,
      secretOrKey: secrets.signingKey,
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
    });
  }

  validate(claims: TokenClaims): Session {
    return this.sessions.ofClaims(claims);
  }

  /** Not the one of the whole process, in which two applications would replace each other's strategy. */
  getPassportInstance(): PassportStatic {
    return new Passport() as PassportStatic;
  }
}
