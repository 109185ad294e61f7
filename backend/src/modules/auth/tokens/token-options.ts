import type { JwtModuleOptions } from '@nestjs/jwt';
import type { Secrets } from '../../../core/secrets/index.js';

export const AUDIENCE = 'slipway';
const ALGORITHM = 'HS256';

/** Used by Passport and by JwtService. The algorithm is fixed: a token must not choose its own. */
export const VERIFY_OPTIONS = { algorithms: [ALGORITHM as 'HS256'], audience: AUDIENCE };

export function tokenOptions(secrets: Secrets): JwtModuleOptions {
  return {
    secret: secrets.signingKey,
    signOptions: { algorithm: ALGORITHM, audience: AUDIENCE },
    verifyOptions: VERIFY_OPTIONS,
  };
}
