import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readProject } from '../../core/config/index.js';
import { credentialsIn } from './exec-credential.js';

const V1 = 'client.authentication.k8s.io/v1';
const NOW = Date.parse('2026-03-01T12:00:00Z');
const fixtures = join(readProject().root, 'test', 'fixtures', 'tls');
const [certificate, key, otherKey] = ['first.crt', 'first.key', 'second.key'].map((name) =>
  readFileSync(join(fixtures, name), 'utf8'),
);

function output(status: unknown, more: object = {}): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status, ...more });
}

describe('credentialsIn', () => {
  it('reads a token with its expiry in another time zone', () => {
    const text = output({ token: 'abc', expirationTimestamp: '2026-03-01T14:30:00.5+02:00' });
    expect(credentialsIn(text, V1, NOW)).toEqual({ token: 'abc', expiresAt: NOW + 1_800_500 });
  });

  it('reads a certificate with its key, without an expiry', () => {
    const text = output({
      token: '',
      clientCertificateData: certificate,
      clientKeyData: key,
      expirationTimestamp: null,
    });
    expect(credentialsIn(text, V1, NOW)).toEqual({ certificate, key, expiresAt: null });
  });

  it.each<[string, string]>([
    ['its output is empty', ' \n'],
    ['is not a JSON object', 'Please sign in'],
    ['is not a JSON object', '["token"]'],
    ['kind of its output is not ExecCredential', output({ token: 'abc' }, { kind: 'Secret' })],
    ['apiVersion of its output is not', output({ token: 'abc' }, { apiVersion: `${V1}beta1` })],
    ['neither a token nor a client certificate', output(undefined)],
    ['neither a token nor a client certificate', output({ token: '' })],
    ['characters that an HTTP header cannot contain', output({ token: 'abc\r\nHost: x' })],
    ['clientKeyData is missing', output({ token: 'abc', clientCertificateData: certificate })],
    ['clientCertificateData is missing', output({ clientKeyData: key })],
    ['is not a certificate in PEM', output({ clientCertificateData: 'x', clientKeyData: key })],
    [
      'is not a private key in PEM',
      output({ clientCertificateData: certificate, clientKeyData: certificate }),
    ],
    ['does not belong to', output({ clientCertificateData: certificate, clientKeyData: otherKey })],
    ['is not a time in RFC 3339', output({ token: 'abc', expirationTimestamp: 1_772_366_400 })],
    ['is not a time in RFC 3339', output({ token: 'abc', expirationTimestamp: 'tomorrow' })],
    [
      'they expired at 2026-03-01T12:00:00.000Z',
      output({ token: 'abc', expirationTimestamp: '2026-03-01T12:00:00Z' }),
    ],
  ])('rejects output: %s (%#)', (message, text) => {
    expect(() => credentialsIn(text, V1, NOW)).toThrow(message);
  });
});
