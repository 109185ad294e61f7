import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigurationError, type Configuration } from '../../core/config/index.js';
import { reasonOf } from '../../core/errors/index.js';
import type { AppLogger } from '../../core/logging/index.js';

const POLL_MS = 2000;

/** A certificate chain and its private key, as PEM. */
interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

/** The certificate of `APP_TLS_CERT` and `APP_TLS_KEY`. */
export interface Certificate {
  /** @throws ConfigurationError if the files are invalid. */
  read: () => KeyPair;
  /** Reloads the certificate of a server when the files change, until the server closes. */
  keepUpToDate: (server: Server) => void;
}

/** @returns undefined if neither file is set: the server uses plain HTTP. */
export function certificateOf({ values }: Configuration, logger: AppLogger): Certificate | undefined {
  const files = [values.tlsCert, values.tlsKey] as const;
  if (files.every((file) => file === '')) return undefined;
  const read = (): KeyPair => readPair(...files);
  return {
    read,
    keepUpToDate: (server) => {
      const log = logger.child({ context: 'tls' });
      const renew = (): void => {
        try {
          (server as HttpsServer).setSecureContext(read());
          log.info('reloaded the certificate');
        } catch (error) {
          log.warn('could not reload the certificate; the previous one stays in use', {
            reason: reasonOf(error),
          });
        }
      };
      for (const file of files) watchFile(file, { interval: POLL_MS, persistent: false }, renew);
      server.once('close', () => {
        for (const file of files) unwatchFile(file, renew);
      });
    },
  };
}

function readPair(certFile: string, keyFile: string): KeyPair {
  if (certFile === '' || keyFile === '') {
    throw problem(
      certFile === '' ? 'APP_TLS_CERT' : 'APP_TLS_KEY',
      'is missing: set both APP_TLS_CERT and APP_TLS_KEY',
    );
  }
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw problem('APP_TLS_CERT', `or APP_TLS_KEY is invalid: ${(error as Error).message}`);
  }
}

function problem(variable: string, text: string): ConfigurationError {
  return new ConfigurationError([{ variable, problem: text, example: '/etc/slipway/tls.crt' }]);
}
