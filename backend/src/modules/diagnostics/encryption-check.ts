import type { Configuration } from '../../core/config/index.js';
import { isUnencrypted } from '../../core/security/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** Whether passwords and sessions can be read on the network. */
export function checkEncryption(configuration: Configuration): DiagnosticCheckDto {
  const check = { name: 'encryption', title: 'Encryption' };
  const { host, tlsCert } = configuration.values;
  if (isUnencrypted(configuration)) {
    return {
      ...check,
      level: 'warning',
      message: `Slipway listens on ${host} over plain HTTP: passwords and sessions can be read on the network`,
      fix: 'Set APP_TLS_CERT and APP_TLS_KEY, or put a proxy with TLS before it and set APP_TRUSTED_PROXIES.',
    };
  }
  const message = tlsCert === '' ? `plain HTTP on ${host}` : 'HTTPS';
  return { ...check, level: 'ok', message, fix: null };
}
