import { describe, expect, it } from '@jest/globals';
import { containersOf, type NamespaceReference } from './container-view';
import type { DetailRow } from './detail-rows';
import { volumeRow } from './volume-view';

const pageOf = ({ kind, name }: NamespaceReference): string => `/${kind}/${name}`;

/** The texts of rows by their titles; links with their page. */
function textsOf(rows: readonly DetailRow[] = []): Record<string, string> {
  const textOf = ({ parts }: DetailRow): string =>
    parts.map(({ text, page }) => (page === undefined ? text : `${text} (${page})`)).join(' ');
  return Object.fromEntries(rows.map((row) => [row.title, textOf(row)]));
}

describe('containersOf', () => {
  it('lists init, main and ephemeral containers with their states', () => {
    const terminated = { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-11-21T09:26:44Z' };
    const waiting = { reason: 'CrashLoopBackOff', message: 'back-off 10s' };
    const views = containersOf(
      {
        initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }],
        containers: [{ name: 'web' }],
        ephemeralContainers: [{ name: 'debug' }],
      },
      {
        initContainerStatuses: [
          { name: 'migrate', state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        ],
        containerStatuses: [{ name: 'web', restartCount: 3, state: { waiting }, lastState: { terminated } }],
      },
      pageOf,
    );
    expect(views.map(({ name, role, glyph, rows }) => [name, role, glyph, textsOf(rows)['State']])).toEqual([
      ['migrate', 'init', 'succeeded', 'Terminated: Completed, exit code 0'],
      ['proxy', 'sidecar', 'creating', 'Waiting'],
      ['web', '', 'creating', 'Waiting: CrashLoopBackOff'],
      ['debug', 'ephemeral', 'creating', 'Waiting'],
    ]);
    expect(textsOf(views[2]?.rows)).toMatchObject({
      Restarts: '3',
      'Last state': 'Terminated: OOMKilled, exit code 137',
    });
    expect(views[2]?.rows).toMatchObject([{ message: 'back-off 10s' }, { time: '2026-11-21T09:26:44Z' }, {}]);
  });

  it('shows ports, resources, probes, mounts, and references instead of the values of Secrets', () => {
    const [view] = containersOf(
      {
        containers: [
          {
            name: 'web',
            command: ['sh', '-c'],
            args: ['serve'],
            ports: [
              { name: 'http', containerPort: 8080, hostPort: 80 },
              { containerPort: 53, protocol: 'UDP' },
            ],
            resources: { requests: { cpu: '50m' }, limits: { cpu: '1', memory: '64Mi' } },
            readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
            volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'web', readOnly: true }],
            envFrom: [{ configMapRef: { name: 'settings' } }],
            env: [
              { name: 'MODE', value: 'dev' },
              { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
              { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            ],
          },
        ],
      },
      {},
      pageOf,
    );
    expect(textsOf(view?.rows)).toMatchObject({
      Command: 'sh -c serve',
      Ports: 'http 8080/TCP → 80, 53/UDP',
      CPU: 'requests 50m, limit 1',
      Memory: 'limit 64Mi',
      'Readiness probe': 'http-get http://:http/ready delay=0s timeout=1s period=5s failure=3',
    });
    expect(view?.lists.map(({ title, rows }) => [title, textsOf(rows)])).toEqual([
      [
        'Environment',
        {
          '*': 'all keys ConfigMap settings (/ConfigMap/settings)',
          MODE: 'dev',
          PASSWORD: 'password Secret db (/Secret/db)',
          NODE: 'spec.nodeName',
        },
      ],
      ['Mounts', { '/data': 'data/web read-only' }],
    ]);
  });
});

describe('resources of containersOf', () => {
  it.each([
    [
      { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '500m' } },
      ['12m of 100m requested, limit 500m', '31Mi of 64Mi requested'],
    ],
    [{ limits: { memory: '64Mi' } }, ['uses 12m', 'uses 31Mi, limit 64Mi']],
    [{}, ['uses 12m', 'uses 31Mi']],
  ])('shows the usage beside %j', (resources, texts) => {
    const usage = { name: 'web', cpu_millicores: 12, memory_bytes: 31 * 2 ** 20 };
    const containers = [{ name: 'web', resources }, { name: 'other' }];
    const views = containersOf({ containers }, {}, pageOf, [usage]).map(({ rows }) => textsOf(rows));
    expect(views.map(({ CPU, Memory }) => [CPU, Memory].filter(Boolean))).toEqual([texts, []]);
  });
});

describe('volumeRow', () => {
  it.each([
    [{ secret: { secretName: 'db' } }, 'Secret db (/Secret/db)'],
    [
      { persistentVolumeClaim: { claimName: 'data' } },
      'PersistentVolumeClaim data (/PersistentVolumeClaim/data)',
    ],
    [{ hostPath: { path: '/var/log' } }, 'hostPath /var/log'],
    [{ emptyDir: {} }, 'emptyDir '],
  ])('shows the source %j', (source, text) => {
    expect(textsOf([volumeRow({ name: 'v', ...source }, pageOf)])).toEqual({ v: text });
  });
});
