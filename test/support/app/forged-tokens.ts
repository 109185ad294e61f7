import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';

type Claims = Record<string, unknown>;

interface Recipe {
  header?: object;
  key?: Buffer;
  hash?: 'sha256' | 'sha384' | 'sha512';
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}

/** A token with these claims, signed with this key. It is valid except for the faults of the recipe. */
export function signed(claims: Claims, secretKey: string, recipe: Recipe = {}): string {
  const { header = {}, key = Buffer.from(secretKey, 'hex'), hash = 'sha256' } = recipe;
  const body = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(claims)}`;
  return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`;
}

/**
 * The fault and the token. Each has one fault: all other claims are valid, and the signing key is right unless the
 * signature is the fault, so that each is refused for its own reason.
 */
export function forgedTokens(good: string, secretKey: string): [string, string][] {
  const claims = claimsOf(good);
  const now = Math.floor(Date.now() / 1000);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicText = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
  const body = good.slice(0, good.lastIndexOf('.'));
  const signature = good.slice(good.lastIndexOf('.') + 1);
  const rsaBody = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  const unsigned = (alg: unknown): string => `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`;
  const claiming = (changes: Claims): string => signed({ ...claims, ...changes }, secretKey);
  return [
    ...['none', 'None', 'NONE', 'nOnE', 'none ', ' none', ''].map((alg): [string, string] => [
      `the algorithm "${alg}"`,
      unsigned(alg),
    ]),
    ['"none" with the signature of another', unsigned('none') + signature],
    ['no algorithm', unsigned(undefined)],
    ['an algorithm that is null', unsigned(null)],
    ['a list of algorithms', unsigned(['none', 'HS256'])],
    ['HS384 with the right key', signed(claims, secretKey, { header: { alg: 'HS384' }, hash: 'sha384' })],
    ['HS512 with the right key', signed(claims, secretKey, { header: { alg: 'HS512' }, hash: 'sha512' })],
    ['HS256 in small letters', signed(claims, secretKey, { header: { alg: 'hs256' } })],
    [
      'RS256 by a key of its own',
      `${rsaBody}.${createSign('sha256').update(rsaBody).sign(privateKey, 'base64url')}`,
    ],
    ['RS256 that is a hash under the right key', signed(claims, secretKey, { header: { alg: 'RS256' } })],
    ['HS256 under the text of a public key', signed(claims, secretKey, { key: publicText })],
    [
      'a header that brings its key',
      signed(claims, secretKey, {
        key: Buffer.alloc(32),
        header: { jwk: { kty: 'oct', k: 'A'.repeat(43) } },
      }),
    ],
    [
      'a header that names a file for its key',
      signed(claims, secretKey, { key: Buffer.alloc(0), header: { kid: '../../../../dev/null' } }),
    ],
    ['another key', signed(claims, secretKey, { key: Buffer.alloc(32, 0xab) })],
    ['no key', signed(claims, secretKey, { key: Buffer.alloc(0) })],
    ['the key as text', signed(claims, secretKey, { key: Buffer.from(secretKey) })],
    ['another audience', claiming({ aud: 'someone-else' })],
    ['no audience', claiming({ aud: undefined })],
    ['several audiences', claiming({ aud: ['slipway', 'someone-else'] })],
    ['no id', claiming({ jti: undefined })],
    ['an empty id', claiming({ jti: '' })],
    ['an unknown id', claiming({ jti: 'A'.repeat(32) })],
    ['an id that is an object', claiming({ jti: { $ne: null } })],
    ['an id that is SQL', claiming({ jti: "' OR '1'='1" })],
    ['an issue in the future', claiming({ iat: now + 3600 })],
    ['no time of issue', claiming({ iat: undefined })],
    ['a time of issue that is text', claiming({ iat: String(now) })],
    ['a beginning in the future', claiming({ nbf: now + 3600 })],
    ['an end in the past', claiming({ exp: now - 1 })],
    ['a later end than its session', claiming({ exp: Number(claims['exp']) + 3600 })],
    ['no end', claiming({ exp: undefined })],
    ['an end that is text', claiming({ exp: String(claims['exp']) })],
    ['another user', claiming({ sub: 'root' })],
    ['the user in capitals', claiming({ sub: 'ADMIN' })],
    ['no user', claiming({ sub: undefined })],
    ['claims that are a list', `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode([claims])}.${signature}`],
    ['a changed signature', `${body}.${changed(signature, 3)}`],
    // 43 letters hold two bits more than 32 bytes: another spelling of the same signature.
    [
      'a signature spelled otherwise',
      `${body}.${signature.slice(0, -1)}${respelled(signature.at(-1) ?? '')}`,
    ],
    ['a padded signature', `${good}=`],
    ['no signature', `${body}.`],
    ['a cut signature', good.slice(0, -5)],
    ['something behind it', `${good}.x`],
    ['something before it', `x.${good}`],
    ['nothing but dots', '..'],
    ['10 kB of it', 'a'.repeat(10_000)],
    ['10 kB of claims', claiming({ more: 'a'.repeat(6000), jti: 'B'.repeat(32) })],
  ];
}

function changed(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function respelled(letter: string): string {
  return LETTERS[LETTERS.indexOf(letter) ^ 1] ?? '';
}
