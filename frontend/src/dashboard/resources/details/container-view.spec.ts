import { describe, expect, it } from '@jest/globals';
import { containersOf } from './container-view';
import { volumeView } from './volume-view';

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
    );
    expect(views.map(({ name, role, glyph, state }) => [name, role, glyph, state.text])).toEqual([
      ['migrate', 'init', 'succeeded', 'Terminated: Completed, exit code 0'],
      ['proxy', 'sidecar', 'creating', 'Waiting'],
      ['web', '', 'creating', 'Waiting: CrashLoopBackOff'],
      ['debug', 'ephemeral', 'creating', 'Waiting'],
    ]);
    expect(views[2]).toMatchObject({
      restarts: 3,
      state: { message: 'back-off 10s' },
      last: { text: 'Terminated: OOMKilled, exit code 137', time: '2026-11-21T09:26:44Z' },
    });
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
    );
    expect(view).toMatchObject({
      command: 'sh -c serve',
      ports: 'http 8080/TCP → 80, 53/UDP',
      resources: [
        { title: 'CPU', text: 'requests 50m, limit 1' },
        { title: 'Memory', text: 'limit 64Mi' },
      ],
      probes: [
        {
          title: 'Readiness probe',
          text: 'http-get http://:http/ready delay=0s timeout=1s period=5s failure=3',
        },
      ],
      mounts: [{ path: '/data', volume: 'data/web', note: 'read-only' }],
      env: [
        { name: '*', value: 'all keys', from: { kind: 'ConfigMap', name: 'settings' } },
        { name: 'MODE', value: 'dev', from: null },
        { name: 'PASSWORD', value: 'password', from: { kind: 'Secret', name: 'db' } },
        { name: 'NODE', value: 'spec.nodeName', from: null },
      ],
    });
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
    const views = containersOf({ containers: [{ name: 'web', resources }, { name: 'other' }] }, {}, [usage]);
    expect(views.map((view) => view.resources.map(({ text }) => text))).toEqual([texts, []]);
  });
});

describe('volumeView', () => {
  it.each([
    [{ secret: { secretName: 'db' } }, { type: 'secret', from: { kind: 'Secret', name: 'db' } }],
    [
      { persistentVolumeClaim: { claimName: 'data' } },
      { from: { kind: 'PersistentVolumeClaim', name: 'data' } },
    ],
    [{ hostPath: { path: '/var/log' } }, { type: 'hostPath', from: null, detail: '/var/log' }],
    [{ emptyDir: {} }, { type: 'emptyDir', detail: '' }],
  ])('shows the source %j', (source, view) => {
    expect(volumeView({ name: 'v', ...source })).toMatchObject(view);
  });
});
