import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { readConfiguration } from '../config/index.js';
import { AppLogger } from './app-logger.js';
import { plainLine, plainText, redact, registerSecret } from './redaction.js';
import { runInRequest } from './request-context.js';

describe('redact', () => {
  it.each([
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', 'MIIE'],
    ['cut: -----BEGIN EC PRIVATE KEY-----\nMHcCAQEE', 'MHcCAQEE'],
    ['    client-key-data: LS0tLS1CRUdJTg==', 'LS0tLS1CRUdJTg'],
    ['"client-certificate-data": "LS0tLS1CRUdJTg=="', 'LS0tLS1CRUdJTg'],
    ['Authorization: Bearer eyJhbGciOi.eyJzdWIi.c2ln', 'eyJzdWIi'],
    ['{"authorization":"Basic YWRtaW46cGFzcw=="}', 'YWRtaW46cGFzcw'],
    ['ws://localhost:9001/ws?token=eyJhbGci&x=1', 'eyJhbGci'],
    ['APP_PASS=correct-horse', 'correct-horse'],
    ['--password=hunter2', 'hunter2'],
    ['"SECRET_KEY": "0123abcd"', '0123abcd'],
    ['https://me:hunter2@registry.test/v2/', 'hunter2'],
    ['said eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl to it', 'eyJzdWIi'],
    ['kubeadm join --token abcdef.0123456789abcdef', '0123456789abcdef'],
  ])('takes the secret out of %j', (text, secret) => {
    const masked = redact(text);
    expect(masked).not.toContain(secret);
    expect(masked).toMatch(/removed\]/);
  });

  it.each([
    'Preparing nodes',
    'kindest/node:v1.34.4@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'the password is wrong',
    'http://127.0.0.1:8080/clusters?name=a',
  ])('leaves %j alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('masks registered secrets in any text', () => {
    registerSecret('correct horse battery staple');
    expect(redact('he said "correct horse battery staple"!')).toBe('he said "[removed]"!');
  });

  it('masks a registered secret until its last owner releases it', () => {
    const [first, second] = [registerSecret('horse-staple'), registerSecret('horse-staple')];
    first();
    first();
    expect(redact('horse-staple')).toBe('[removed]');
    second();
    expect(redact('horse-staple')).toBe('horse-staple');
  });

  it('handles malicious text in linear time', () => {
    const milliseconds = cpuTimeOf(() => {
      redact('a'.repeat(200_000));
      redact(`${'a.'.repeat(50_000)}://${'x'.repeat(50_000)}`);
      redact('-----BEGIN A-----'.repeat(5_000));
    });
    expect(milliseconds).toBeLessThan(5000);
  });
});

describe('plainLine', () => {
  it('removes control sequences and line breaks', () => {
    expect(plainLine('\u001b[31mred\u001b[0m\u0007 \u001b]0;title\u0007x\u2028y\rz\ta\nb')).toBe(
      'red xyz a b',
    );
  });

  it('keeps text of every language', () => {
    expect(plainLine(' ✓ Preparing nodes 📦 – größer')).toBe(' ✓ Preparing nodes 📦 – größer');
  });
});

describe('plainText', () => {
  it.each([
    ['colors', '\u001b[1;32mReady\u001b[0m\r\n\tshop', 'Ready\n\tshop'],
    ['8-bit and device control sequences', '\u009b31mx\u001bP1$r\u001b\\y\u001b(B z', '31mxy z'],
    ['direction marks', 'a\u200eb\u200fc\u061cd', 'abcd'],
    ['the start of an unterminated sequence', 'a\u001b]0;title', 'a0;title'],
  ])('removes %s', (_, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it.each(['\u202a', '\u202e', '\u2066', '\u2069'])('shows that %j was removed', (mark) => {
    expect(plainText(`${mark}txt.exe`)).toBe('\ufffdtxt.exe');
  });

  it('handles malicious text in linear time', () => {
    const milliseconds = cpuTimeOf(() => {
      plainText('\u001b['.repeat(200_000));
      plainText('\u001b]'.repeat(200_000));
      plainText(`\u001b[${'0'.repeat(400_000)}`);
    });
    expect(milliseconds).toBeLessThan(2000);
  });
});

describe('AppLogger', () => {
  it('masks secrets in written entries, and adds the request id', () => {
    const written: string[] = [];
    const logger = AppLogger.create(readConfiguration({ APP_LOG_FORMAT: 'json' }), {
      write: (entry) => written.push(entry),
    });
    runInRequest((id) => {
      logger
        .child({ context: 'Spec', url: '/ws?token=abcdefghijkl' })
        .failure('it broke', new Error('Bearer abcdefghijkl'));
      expect(written).toHaveLength(1);
      expect(written[0]).not.toContain('abcdefghijkl');
      expect(JSON.parse(written[0] ?? '')).toMatchObject({
        level: 'error',
        context: 'Spec',
        request_id: id,
        msg: 'it broke',
      });
    });
    logger.info('two\nlines');
    expect(JSON.parse(written[1] ?? '')).toMatchObject({ msg: 'two lines' });
  });
});
