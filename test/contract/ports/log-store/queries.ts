import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogStream } from '../../../../backend/src/drivers/runtime/index.js';
import type { Level, SourceIdentity } from '../../../../backend/src/drivers/log-store/index.js';
import { withQuery } from '../../../../backend/src/core/search/index.js';
import { findIn, identityOf, newLine, searchOf, START } from '../../../support/logs/log-store.js';
import { MirroredStore, type LogStoreUnderTest } from '../../support/mirrored-store.js';

const POD = { kind: 'pod', runtime: 'docker', cluster: 'staging' } as const;
const SOURCES: Readonly<Record<string, SourceIdentity>> = {
  api: {
    ...identityOf('api'),
    ...POD,
    ...{ key: 'pod/docker/staging/1/api', namespace: 'shop', workload: 'Deployment/payments-api' },
    ...{ name: 'payments-api-7d9f-x1', container: 'api' },
  },
  mailer: {
    ...identityOf('mailer'),
    ...POD,
    ...{ key: 'pod/docker/staging/2/mailer', namespace: 'default', name: 'mailer-5c-1' },
  },
  kubelet: {
    ...identityOf('kubelet'),
    ...{
      key: 'node/docker/3/kubelet',
      kind: 'node',
      cluster: 'staging',
      name: 'staging-worker',
      service: 'kubelet',
    },
  },
  postgres: { ...identityOf('postgres'), key: 'container/docker/4', kind: 'container', name: 'postgres' },
};

/** Each line by a letter. */
const LINES: Readonly<Record<string, [source: string, Level | null, LogStream | null, text: string]>> = {
  a: ['api', 'error', 'stderr', 'upstream timeout after=1.5s status=504 path=/api/v1/orders'],
  b: ['api', 'info', 'stdout', 'method=GET path=/healthz status=200 duration=3ms'],
  c: [
    'api',
    'warn',
    'stderr',
    '{"msg":"context deadline exceeded","status":503,"http":{"path":"/api/v1/pods"},"duration":"1m30s"}',
  ],
  d: [
    'api',
    'info',
    'stdout',
    '{"msg":"order paid","status":200,"user":"Ann Lee","urn:x:id":7,"bytes":"10Mi","at":"2026-11-29T07:00:00Z"}',
  ],
  e: ['mailer', 'error', null, 'Error: SMTP_HOST is not set'],
  f: ['mailer', 'info', null, 'retry 3 of 5: connect(2) refused, timeout'],
  g: ['mailer', null, null, 'panic: std::vector out of range (index 5)'],
  h: ['kubelet', 'warn', null, 'E1121 09:44:02 1 x.go:1] "Sync failed" pod="shop/web-0" err="timeout"'],
  i: ['kubelet', 'info', null, 'healthz probe timeout http://10.0.0.1:10250/healthz'],
  j: ['postgres', 'info', 'stdout', 'checkpoint complete: wrote 42 buffers (0.3%); READ AND WRITE'],
  k: ['postgres', 'error', 'stderr', 'deadlock detected OR lock timeout'],
  l: ['postgres', 'info', 'stdout', '--dry-run given, a->b, List<String>, a==b, 100*2'],
  m: ['api', 'debug', 'stdout', 'Größe=5 Maß ÜBER'],
  n: ['api', 'error', 'stderr', 'status="504x" note="" say "hi" C:\\temp'],
  o: [
    'mailer',
    'fatal',
    null,
    'level=critical message=disk usage=91.5 size=2Gi ts=2026-11-29T08:30:00+01:00',
  ],
  p: [
    'postgres',
    'info',
    'stdout',
    '10.0.0.7 - - [29/Nov/2026:08:00:00 +0000] "PATCH /cart/9 HTTP/1.1" 418 7 "-" "curl/8.5.0"',
  ],
};

/** The letters of the lines that a query must find. */
const QUERIES: readonly (readonly [query: string, lines: string])[] = [
  // Words, phrases and what joins them
  ['timeout', 'a f h i k'],
  ['TIMEOUT', 'a f h i k'],
  ['timeout -healthz', 'a f h k'],
  ['-healthz timeout', 'a f h k'],
  ['timeout -healthz -refused', 'a h k'],
  ['"context deadline"', 'c'],
  ['context deadline', 'c'],
  ['deadline context', 'c'],
  ['"deadline context"', ''],
  ['timeout OR deadline', 'a c f h i k'],
  ['timeout OR deadline OR panic', 'a c f g h i k'],
  ['timeout AND upstream', 'a'],
  ['upstream timeout OR order paid', 'a d'],
  ['(upstream OR lock) timeout', 'a k'],
  ['timeout (upstream OR lock)', 'a k'],
  ['(timeout OR deadline) -(healthz OR refused)', 'a c h k'],
  ['-(timeout OR status)', 'e g j l m o p'],
  ['-timeout', 'b c d e g j l m n o p'],
  ['-(-timeout)', 'a f h i k'],
  ['"READ AND WRITE"', 'j'],
  ['"detected OR lock"', 'k'],
  ['OR', 'a d e g k'],
  ['connect(2)', 'f'],
  ['(connect(2) refused)', 'f'],
  ['(index', 'g'],
  ['5)', 'g'],
  ['--dry-run', 'l'],
  ['a->b', 'l'],
  ['List<String>', 'l'],
  ['a==b', 'l'],
  ['std::vector', 'g'],
  ['http://10.0.0.1:10250/healthz', 'i'],
  ['-http://10.0.0.1:10250/healthz timeout', 'a f h k'],
  ['09:44:02', 'h'],
  ['C:\\temp', 'n'],
  ['"say \\"hi\\""', 'n'],
  ['größe', 'm'],
  ['MASS', ''],
  ['Maß über', 'm'],
  ['0.3%', 'j'],
  ['SMTP_HOST is not set', 'e'],
  ['nothing like this', ''],
  // Wildcards
  ['dead*detected', 'k'],
  ['time*out', 'a f h i k'],
  ['up*out*504', 'a'],
  ['*timeout*', 'a f h i k'],
  ['"100*"', 'l'],
  ['(dead*detected OR pan*range)', 'g k'],
  // Regexes
  ['/time.*out/ -healthz', 'a f h k'],
  ['/status=5\\d\\d/', 'a'],
  ['/api/v1/orders', 'a'],
  ['/api/v1/', 'a c'],
  ['/^panic/ OR /lock$/', 'g'],
  ['/connect\\(\\d\\) refused/', 'f'],
  ['-/timeout|status/', 'e g j l m o p'],
  ['(/^E\\d+/ OR /^retry/) timeout', 'f h'],
  // Fields
  ['status=504', 'a'],
  ['status=504 upstream', 'a'],
  ['status:50', 'a c n'],
  ['status=50*', 'a c n'],
  ['status=50?', ''],
  ['status!=200 status:*', 'a c n p'],
  ['-status=200 status=*', 'a c n p'],
  ['status>=500', 'a c'],
  ['status>200', 'a c p'],
  ['status<504', 'b c d p'],
  ['status<=200', 'b d'],
  ['status=200 OR status=503', 'b c d'],
  ['(status=200 OR status=503) -path:healthz', 'c d'],
  ['user="Ann Lee"', 'd'],
  ['user="ann lee"', 'd'],
  ['user:ann', 'd'],
  ['"urn:x:id"=7', 'd'],
  ['http.path=/api/v1/pods', 'c'],
  ['http.path=/api/*', 'c'],
  ['path=/api/*', 'a'],
  ['path:*', 'a b p'],
  ['STATUS=504', 'a'],
  ['duration>1s', 'c'],
  ['duration<10ms', 'b'],
  ['after>=1500ms', 'a'],
  ['bytes>=10Mi', 'd'],
  ['size>1Gi', 'o'],
  ['usage>90', 'o'],
  ['at>2026-11-29T06:59:00Z', 'd'],
  ['ts<=2026-11-29T07:30:00Z', 'o'],
  ['at>2027-01-01', ''],
  ['note=""', 'n'],
  ['err=timeout', 'h'],
  ['größe=5', 'm'],
  ['method=POST', ''],
  ['method=PATCH', 'p'],
  ['status>=400 status<500 path=/cart/*', 'p'],
  // Known names
  ['level:error', 'a e k n'],
  ['level=error', 'a e k n'],
  ['level=error timeout', 'a k'],
  ['level:err', 'a e k n'],
  ['level:warn,error', 'a c e h k n'],
  ['level>=warn', 'a c e h k n o'],
  ['level>error', 'o'],
  ['level<info', 'm'],
  ['level!=info', 'a c e g h k m n o'],
  ['-level:info timeout', 'a h k'],
  ['level:none', 'g'],
  ['level:error OR panic', 'a e g k n'],
  ['stream:stderr timeout', 'a k'],
  ['-stream:stdout timeout', 'a f h i k'],
  ['stream=stdout OR panic', 'b d g j l m p'],
  ['cluster:staging -namespace:shop', 'e f g h i o'],
  ['cluster=stag', ''],
  ['namespace=shop timeout', 'a'],
  ['namespace!=shop timeout', 'f h i k'],
  ['pod:payments status>=500', 'a c'],
  ['pod=payments-api-*', 'a b c d m n'],
  ['container:postgres', 'j k l p'],
  ['container=api', 'a b c d m n'],
  ['source:kubelet', 'h i'],
  ['source=staging/shop/payments-api-7d9f-x1/api level:warn', 'c'],
  ['pod:mailer OR level:error', 'a e f g k n o'],
  ['-(pod:mailer OR source:kubelet) timeout', 'a k'],
  ['SOURCE:Kubelet', 'h i'],
  ['scope:system', 'h i'],
  ['scope:apps timeout', 'a f k'],
  ['scope!=apps timeout', 'h i'],
  ['-scope:system panic OR scope=system healthz', 'g i'],
  ['scope:apps,system level:fatal', 'o'],
  ['scope:read', ''],
];

/** Queries that tell upper case from lower case, with what they find. */
const EXACT: readonly (readonly [query: string, lines: string])[] = [
  ['Error', 'e'],
  ['OR -status', 'k'],
  ['user="ann lee"', ''],
  ['(SMTP* OR Größe) -timeout', 'e m'],
  ['/Sync/ OR Maß', 'h m'],
];

export function describeQueries(subject: LogStoreUnderTest): void {
  describe('queries', () => {
    let mirror: MirroredStore;
    const letters = Object.keys(LINES);

    beforeAll(async () => {
      mirror = await MirroredStore.open(subject);
      const ids = Object.fromEntries(
        Object.entries(SOURCES).map(([name, source]) => [name, mirror.source(source)]),
      );
      // The same lines twice: in one that is flushed, and in one that is not.
      for (let copy = 0; copy < 2; copy += 1) {
        letters.forEach((letter, index) => {
          const [source, level, stream, text] = LINES[letter] as (typeof LINES)[string];
          mirror.append(ids[source] as number, [
            newLine(text, START + copy * 1000 + index, { level, stream }),
          ]);
        });
        if (copy === 0) await mirror.store.flush();
      }
    });

    afterAll(() => mirror.remove());

    const found = async (query: string, matchCase = false): Promise<string> => {
      const search = {
        ...withQuery(searchOf({ matchCase }), query, mirror.store.sources()),
        order: 'oldest' as const,
      };
      const { matches } = await findIn(mirror.store, search);
      const all = matches.map(({ line }) => letters[(line.time - START) % 1000] as string);
      const half = all.slice(0, all.length / 2);
      expect(all).toEqual([...half, ...half]);
      return half.join(' ');
    };

    it.each(QUERIES)('finds with %s the lines %s', async (query, expected) => {
      expect(await found(query)).toBe(expected.split(' ').sort().join(' '));
    });

    it.each(EXACT)('finds with %s, with case, the lines %s', async (query, expected) => {
      expect(await found(query, true)).toBe(expected);
    });

    it('counts the lines that it finds', async () => {
      for (const query of [
        'timeout -healthz',
        '(timeout OR status>=500) level>=warn',
        'pod:mailer OR lock',
      ]) {
        const { condition, ...search } = withQuery(searchOf({}), query, mirror.store.sources());
        const counted = await mirror.store.histogram(
          { ...search, condition },
          1,
          new AbortController().signal,
        );
        expect([query, counted.buckets[0]?.total]).toEqual([
          query,
          2 * (await found(query)).split(' ').length,
        ]);
      }
    });
  });
}
