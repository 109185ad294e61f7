/** Messages of Node, of Go's network library and of Podman, and the words for them. */
const REASONS: readonly [RegExp, string][] = [
  [/ENOTFOUND|EAI_AGAIN|no such host|name resolution|server misbehaving/i, 'name not found'],
  [/ECONNREFUSED|connection refused/i, 'connection refused'],
  [/ENETUNREACH|EHOSTUNREACH|network is unreachable|no route to host/i, 'no network'],
  [/ECONNRESET|connection reset|unexpected EOF/i, 'connection interrupted'],
  [
    /ETIMEDOUT|i\/o timeout|timed out|handshake timeout|Client\.Timeout|deadline exceeded/i,
    'no response in time',
  ],
  [/x509|CERT_|_CERT|self[- ]signed/i, 'its certificate is not trusted'],
];

/** Why a server cannot be reached, without a period; undefined for an error of another kind. */
export function networkReason(message: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(message))?.[1];
}
