import type { JwtModuleOptions } from '@nestjs/jwt';
import type { Secrets } from '../../core/secrets/index.js';

export const AUDIENCE = 'slipway';

/** One algorithm, named where tokens are made and where they are read: a token never chooses its own. */
export function tokenOptions(secrets: Secrets): JwtModuleOptions {
  return {
    secret: secrets.signingKey,
    signOptions: { algorithm: 'HS256', audience: AUDIENCE },
    verifyOptions: { algorithms: ['HS256'], audience: AUDIENCE },
  };
}
