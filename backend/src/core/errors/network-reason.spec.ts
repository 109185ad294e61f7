import { describe, expect, it } from '@jest/globals';
import { networkReason } from './network-reason.js';

describe('networkReason', () => {
  it.each([
    ['getaddrinfo ENOTFOUND hub.docker.com', 'name not found'],
    [
      'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host',
      'name not found',
    ],
    ['connect ECONNREFUSED 127.0.0.1:5000', 'connection refused'],
    ['dial tcp 10.0.0.1:443: connect: network is unreachable', 'no network'],
    ['net/http: TLS handshake timeout', 'no response in time'],
    ['x509: certificate signed by unknown authority', 'its certificate is not trusted'],
    ['manifest unknown', undefined],
  ])('explains %s', (message, reason) => {
    expect(networkReason(message)).toBe(reason);
  });
});
