import type { Configuration } from '../core/config/index.js';
import { hostLiteral, schemeOf } from '../core/security/index.js';
import type { ApplicationName } from './core.module.js';

/** The URL for users: the public one, or localhost if the server listens on it. */
export function addressOf(configuration: Configuration, name: ApplicationName, port: number): string {
  const { host, publicUrl, logBoardPublicUrl } = configuration.values;
  const outside = name === 'dashboard' ? publicUrl : logBoardPublicUrl;
  if (outside !== '') return outside;
  const isLocal = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host);
  return `${schemeOf(configuration)}://${isLocal ? 'localhost' : hostLiteral(host)}:${port}`;
}
