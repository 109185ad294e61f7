import type { JwtModuleOptions } from '@nestjs/jwt';
import type { Secrets } from '../../core/secrets/index.js';

export const AUDIENCE = 'slipway';
export const ALGORITHM = 'HS256';

/** One algorithm, named where tokens are made and where they are read: a token never chooses its own. */
export function tokenOptions(secrets: Secrets): JwtModuleOptions {
  return {
    secret: secrets.signingKey,
    signOptions: { algorithm: ALGORITHM, audience: AUDIENCE },
    verifyOptions: { algorithms: [ALGORITHM], audience: AUDIENCE },
  };
}
