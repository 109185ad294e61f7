import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export interface Credentials {
  /** PEM. */
  certificate: string;
  key: string;
}

interface Authority {
  name: string;
  key: KeyObject;
  /** PEM. */
  certificate: string;
}

/**
 * An authority for X.509 certificates that are valid for a day. Node can read certificates, but not create them, and a
 * key in the repository could be trusted by mistake.
 */
export class CertificateAuthority {
  private constructor(private readonly authority: Authority) {}

  static create(name = 'test authority'): CertificateAuthority {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const certificate = issue({
      subject: name,
      publicKey,
      issuer: name,
      issuerKey: privateKey,
      isAuthority: true,
    });
    return new CertificateAuthority({ name, key: privateKey, certificate });
  }

  get certificate(): string {
    return this.authority.certificate;
  }

  /** Credentials for a server on loopback, or for a client. */
  issue(subject: string): Credentials {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      certificate: issue({
        subject,
        publicKey,
        issuer: this.authority.name,
        issuerKey: this.authority.key,
        isAuthority: false,
      }),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    };
  }
}

interface Request {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  isAuthority: boolean;
}

/** The parts of RFC 5280 that OpenSSL requires. */
function issue({ subject, publicKey, issuer, issuerKey, isAuthority }: Request): string {
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2'));
  const day = 86_400_000;
  const body = sequence(
    tagged(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    distinguishedName(issuer),
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        extension('2.5.29.19', sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
        extension(
          '2.5.29.17',
          sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))),
        ),
      ),
    ),
  );
  const signature = sign('sha256', body, issuerKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const header =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  return der(tag, content);
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = rest.flatMap((part) => {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(der(0x31, sequence(objectId('2.5.4.3'), der(0x0c, Buffer.from(commonName)))));
}

function time(moment: Date): Buffer {
  return der(0x18, Buffer.from(`${moment.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), der(0x04, value));
}
