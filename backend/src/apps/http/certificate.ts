import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigurationError, type Configuration } from '../../core/config/index.js';
import { reasonOf } from '../../core/errors/index.js';
import type { AppLogger } from '../../core/logging/index.js';

const LOOK_EVERY_MS = 2000;

/** A certificate chain and its private key, as PEM. */
interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

/** The certificate of `APP_TLS_CERT` and `APP_TLS_KEY`. */
export interface Certificate {
  /** @throws ConfigurationError where the files cannot be used. */
  read: () => KeyPair;
  /** Gives a server the new certificate when the files change, until the server is closed. */
  keepUpToDate: (server: Server) => void;
}

/** @returns undefined where the server speaks plain HTTP. @throws ConfigurationError where one of the two is missing. */
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
          log.info('the new certificate is in use');
        } catch (error) {
          log.warn('the new certificate cannot be used, the one before stays', { reason: reasonOf(error) });
        }
      };
      for (const file of files) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, renew);
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
      'is missing: APP_TLS_CERT and APP_TLS_KEY go together',
    );
  }
  try {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    createSecureContext(pair);
    return pair;
  } catch (error) {
    throw problem('APP_TLS_CERT', `and APP_TLS_KEY cannot be used: ${(error as Error).message}`);
  }
}

function problem(variable: string, text: string): ConfigurationError {
  return new ConfigurationError([{ variable, problem: text, example: '/etc/slipway/tls.crt' }]);
}
