import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parser } from 'tar';
import type { BundleContentDto } from '../../backend/src/modules/diagnostics/bundle/bundle.dto.js';
import { JobsService } from '../../backend/src/modules/jobs/jobs.service.js';
import { JobStore } from '../../backend/src/modules/jobs/job.store.js';
import { JournalService } from '../../backend/src/modules/journal/journal.service.js';
import { createCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

/** Planted wherever a secret may be. None may appear in the bundle. */
const CANARY = 'canary7f3a';
let planted = 0;
const canary = (): string => `${CANARY}${(planted += 1)}`;

const SECRET_CONFIG = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: planted
nodes:
  - role: control-plane
    extraMounts:
      - hostPath: HOME/projects
        containerPath: /projects
    kubeadmConfigPatches:
      - |
        kind: InitConfiguration
        bootstrapTokens:
          - token: ${canary()}
containerdConfigPatches:
  - |-
    [plugins."io.containerd.grpc.v1.cri".registry.configs."registry.test".auth]
      username = "me"
      password = "${canary()}"
      identitytoken = "${canary()}"
`;

describe('GET /diagnostics/bundle', () => {
  let app: TestApp;
  let files: Map<string, string>;
  let headers: Record<string, unknown>;
  let whole: string;

  beforeAll(async () => {
    app = await startApp({
      environment: {
        APP_PASS: `${canary()}-password`,
        SECRET_KEY: `0123456789abcdef${'c0ffee'.repeat(8)}`,
        ENCRYPTION_KEY: `fedcba9876543210${'c0ffee'.repeat(8)}`,
        HTTPS_PROXY: `http://me:${canary()}@proxy.test:3128`,
        HTTP_PROXY: `http://${canary()}@proxy.test:3128`,
        AWS_SECRET_ACCESS_KEY: canary(),
        APP_CHART_HOSTS: 'charts.test',
      },
      prepare: (folder) => {
        const cluster = join(folder, 'clusters', 'planted');
        mkdirSync(cluster, { recursive: true });
        writeFileSync(
          join(cluster, 'meta.json'),
          JSON.stringify({
            name: 'planted',
            runtime: 'demo',
            creation: 'failed',
            workers: 0,
            control_planes: 1,
          }),
        );
        writeFileSync(join(cluster, 'cluster.yaml'), SECRET_CONFIG.replace('HOME', folder));
        writeFileSync(join(cluster, 'kubeconfig'), `users:\n- user:\n    client-key-data: ${canary()}\n`);
      },
    });
    const job = await createCluster(app.client, 'alpha');
    app.nest.get(JobStore, { strict: false }).writeLog(job.id, {
      added: [
        `kubeadm join --token abcdef.0123456789abcdef`,
        `  password: ${canary()}`,
        `Authorization: Bearer ${canary()}`,
        `auth = "${canary()}"`,
        `-----BEGIN RSA PRIVATE KEY-----`,
        canary(),
        `-----END RSA PRIVATE KEY-----`,
      ].map((text, index) => ({
        sequence: 9000 + index,
        time: '2026-11-21T09:00:00.000Z',
        kind: 'output' as const,
        text,
      })),
      cut: undefined,
    });
    app.nest.get(JournalService, { strict: false }).record({
      kind: 'create',
      cluster: 'alpha',
      runtime: 'demo',
      subject: null,
      outcome: 'failed',
      message: `Failed: pull https://me:${canary()}@registry.test/v2/ said no.`,
      job_id: null,
      duration_ms: null,
    });
    const answer = await app.client.send('GET', '/api/v1/diagnostics/bundle');
    expect(answer.status).toBe(200);
    headers = answer.headers;
    whole = gunzipSync(answer.bytes).toString('utf8');
    files = await unpack(answer.bytes);
  });

  afterAll(() => app.stop());

  it('returns a .tar.gz archive with a unique name', () => {
    expect(headers['content-type']).toBe('application/gzip');
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="slipway-support-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz"$/,
    );
    expect([...files.keys()].every((path) => /^slipway-support-[\dTZ-]+\//.test(path))).toBe(true);
  });

  it('contains diagnostics, versions, clusters, jobs, journal and logs', () => {
    const paths = [...files.keys()].map((path) => path.slice(path.indexOf('/') + 1));
    expect(paths).toEqual([
      'README.txt',
      'system.json',
      'diagnostics.json',
      'versions.json',
      'configuration.json',
      'clusters.json',
      'clusters/alpha@demo/meta.json',
      'clusters/alpha@demo/cluster.yaml',
      'clusters/alpha@demo/provision_log.json',
      'clusters/planted@demo/meta.json',
      'clusters/planted@demo/cluster.yaml',
      'jobs.json',
      expect.stringMatching(/^jobs\/\d+\.log$/),
      'journal.json',
      'server.log',
    ]);
    expect(fileOf('README.txt')).toContain('clusters/planted@demo/cluster.yaml');
    for (const [path, text] of files) {
      if (path.endsWith('.json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect(text.length).toBeGreaterThan(0);
    }
    expect(JSON.parse(fileOf('configuration.json'))).toMatchObject({
      set: { APP_RUNTIME: 'demo', APP_CHART_HOSTS: 'charts.test' },
      set_without_value: ['APP_PASS', 'SECRET_KEY', 'ENCRYPTION_KEY'],
    });
    expect(fileOf('diagnostics.json')).toContain('proxy.test:3128');
    expect(fileOf('clusters/planted@demo/cluster.yaml')).toContain('containerPath: /projects');
    expect(fileOf('server.log')).toContain('demo is available');
    expect(JSON.parse(fileOf('journal.json'))).toHaveLength(2);
  });

  it('contains neither secrets nor kubeconfigs', () => {
    expect(planted).toBeGreaterThanOrEqual(12);
    expect(whole.split('\n').filter((line) => line.includes(CANARY))).toEqual([]);
    for (const secret of ['c0ffee', '0123456789abcdef', 'client-key-data']) {
      expect(whole).not.toContain(secret);
    }
  });

  it('shows the files before they are saved, and saves those', async () => {
    const content = await app.client.get<BundleContentDto>('/api/v1/diagnostics/bundle/content');
    const shown = new Map(content.files.map(({ path, text }) => [path, text]));
    expect(shown.get('clusters/planted@demo/cluster.yaml')).toContain('<text, ');
    expect(content.files.find(({ path }) => path.endsWith('planted@demo/cluster.yaml'))?.replaced).toBe(4);
    const answer = await app.client.send('GET', '/api/v1/diagnostics/bundle?shown=true');
    const saved = [...(await unpack(answer.bytes))].map(([path, text]) => [
      path.slice(path.indexOf('/') + 1),
      text,
    ]);
    expect(saved).toEqual([...shown]);
    expect(JSON.stringify(content)).not.toContain(CANARY);
  });

  it('contains no path of the home directory', () => {
    expect(whole).not.toContain(app.dataDirectory);
    expect(fileOf('clusters/planted@demo/cluster.yaml')).toContain('hostPath: ~/projects');
  });

  it('reports an unreadable part as a file', async () => {
    const jobs = app.nest.get(JobsService, { strict: false });
    const list = jobs.active.bind(jobs);
    jobs.active = () => {
      throw new Error('the clusters cannot be listed');
    };
    try {
      const answer = await app.client.send('GET', '/api/v1/diagnostics/bundle');
      expect(answer.status).toBe(200);
      const broken = [...(await unpack(answer.bytes))].filter(([path]) => path.endsWith('.error.txt'));
      expect(broken.map(([path, text]) => [path.split('/').at(-1), text.trim()])).toEqual([
        ['diagnostics.json.error.txt', 'the clusters cannot be listed'],
        ['clusters.json.error.txt', 'the clusters cannot be listed'],
      ]);
    } finally {
      jobs.active = list;
    }
  });

  function fileOf(path: string): string {
    const found = [...files].find(([name]) => name.endsWith(`/${path}`));
    if (!found) throw new Error(`the bundle has no ${path}`);
    return found[1];
  }
});

async function unpack(archive: Buffer): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({
      onReadEntry: (entry) => {
        const chunks: Buffer[] = [];
        entry.on('data', (chunk: Buffer) => chunks.push(chunk));
        entry.on('end', () => found.set(entry.path, Buffer.concat(chunks).toString('utf8')));
      },
    });
    parser.on('end', resolve);
    parser.on('error', reject);
    parser.end(archive);
  });
  return found;
}
