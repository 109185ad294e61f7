import { describe, expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../test/support/cpu-time.js';
import { requestFields } from './request-fields.js';

const read = (text: string): string =>
  requestFields(text)
    .map(({ name, value }) => `${name}=${value}`)
    .join(' ');
const HEAD = '10.0.0.1 - ada [27/Nov/2026:10:00:00 +0000]';

describe('requestFields', () => {
  it.each([
    [`${HEAD} "GET /a?b=c HTTP/1.0" 404 2326`, 'method=GET path=/a?b=c status=404'],
    [
      `${HEAD} "GET / HTTP/2.0" 200 5 "-" "curl" 7 0.012 [shop-web-80] []`,
      'method=GET path=/ status=200 duration=0.012',
    ],
    [
      `${HEAD} "GET / HTTP/1.1" 200 5 "-" "-" 7 "web@docker" "http://a" 12ms`,
      'method=GET path=/ status=200 duration=12ms',
    ],
    [
      '[2026-11-27T10:00:00Z] "GET / HTTP/1.1" 0 DC 0 0 91 - "-" "curl" "a"',
      'method=GET path=/ status=0 duration=91',
    ],
    [`${HEAD} "-" 408 0`, ''],
    ['upstream failed, request: "GET / HTTP/1.1", upstream: "http://a"', ''],
    ['GET / HTTP/1.1 200', ''],
  ])('reads %s', (text, fields) => {
    expect(read(text)).toBe(fields);
  });

  it('takes linear time on hostile lines', () => {
    const nasty = ['"GET /', '"GET a HTTP/1.1" 200 ', '" 1 HTTP/', '[2026-11-27T "A HTTP/1.1" 1 - '];
    const milliseconds = cpuTimeOf(() => {
      for (const part of nasty) {
        for (let time = 0; time < 20; time += 1) requestFields(part.repeat(65_000 / part.length));
      }
    });
    expect(milliseconds).toBeLessThan(3000);
  });
});
