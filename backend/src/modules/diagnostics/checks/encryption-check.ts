import type { Configuration } from '../../../core/config/index.js';
import { isUnencrypted, schemeOf, UNENCRYPTED_FIX } from '../../../core/security/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

export function checkEncryption(
  configuration: Configuration,
  published: Parameters<typeof isUnencrypted>[1],
): DiagnosticCheckDto {
  const check = { name: 'encryption', title: 'Encryption' };
  const { host } = configuration.values;
  if (isUnencrypted(configuration, published)) {
    return {
      ...check,
      level: 'warning',
      message: `Slipway listens on ${host} over plain HTTP, so passwords and sessions can be read on the network`,
      fix: UNENCRYPTED_FIX,
    };
  }
  const message = schemeOf(configuration) === 'http' ? `plain HTTP on ${host}` : 'HTTPS';
  return { ...check, level: 'ok', message, fix: null };
}
