import { createPrivateKey, X509Certificate } from 'node:crypto';
import { anything, jsonValue, record, text } from '../../core/parsing/index.js';
import { readTime } from '../../core/values/index.js';

/** Characters allowed in an HTTP header. */
const TOKEN = /^[\x21-\x7e]+$/;

const credentialText = text(Infinity);
const readOutput = record({
  apiVersion: text(),
  kind: text(),
  status: record({
    token: credentialText,
    clientCertificateData: credentialText,
    clientKeyData: credentialText,
    expirationTimestamp: anything,
  }),
});

/** A token, a certificate with its key, or both. Must never be logged or be part of an error. */
export interface PluginCredentials {
  token?: string;
  /** PEM, also of intermediate certificates. */
  certificate?: string;
  /** PEM, without a password. */
  key?: string;
  /** In milliseconds since the epoch; null if the plugin has not said it. */
  expiresAt: number | null;
}

/**
 * Reads the `ExecCredential` that a plugin printed.
 * @param apiVersion that the kubeconfig names
 * @param now in milliseconds since the epoch
 * @throws Error with the reason as a phrase, without values of the output
 */
export function credentialsIn(output: string, apiVersion: string, now: number): PluginCredentials {
  if (output.trim() === '') throw new Error('its output is empty');
  const credential = readOutput(jsonValue(output));
  if (!credential) throw new Error('its output is not a JSON object');
  if (credential.kind !== 'ExecCredential') throw new Error('the kind of its output is not ExecCredential');
  if (credential.apiVersion !== apiVersion) {
    throw new Error(`the apiVersion of its output is not ${apiVersion}, as in the kubeconfig`);
  }
  const {
    token,
    clientCertificateData: certificate,
    clientKeyData: key,
    expirationTimestamp,
  } = credential.status ?? {};
  if (!token && !certificate && !key) throw new Error('status has neither a token nor a client certificate');
  if (token && !TOKEN.test(token)) {
    throw new Error('status.token has characters that an HTTP header cannot contain');
  }
  if (certificate && !key) throw new Error('status.clientKeyData is missing');
  if (key && !certificate) throw new Error('status.clientCertificateData is missing');
  if (certificate && key) assertPair(certificate, key);
  return Object.freeze({
    ...(token && { token }),
    ...(certificate && key && { certificate, key }),
    expiresAt: expirationTimestamp === undefined ? null : expiryOf(expirationTimestamp, now),
  });
}

function assertPair(certificate: string, key: string): void {
  const leaf = parsed(
    () => new X509Certificate(certificate),
    'status.clientCertificateData is not a certificate in PEM',
  );
  const privateKey = parsed(
    () => createPrivateKey(key),
    'status.clientKeyData is not a private key in PEM without a password',
  );
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new Error('status.clientKeyData does not belong to status.clientCertificateData');
  }
}

function parsed<TValue>(parse: () => TValue, problem: string): TValue {
  try {
    return parse();
  } catch {
    throw new Error(problem);
  }
}

function expiryOf(value: unknown, now: number): number {
  const time = typeof value === 'string' ? readTime(value) : undefined;
  if (time === undefined) throw new Error('status.expirationTimestamp is not a time in RFC 3339');
  const expiresAt = Math.floor(time / 1000);
  if (expiresAt <= now) {
    throw new Error(`they expired at ${new Date(expiresAt).toISOString()}. Check the clock of this machine`);
  }
  return expiresAt;
}
