import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AddonForwardDto } from '../../backend/src/modules/addons/common/operation.dto.js';
import type { ClusterDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { LinePageDto } from '../../backend/src/modules/log-search/line-page.dto.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import { packChart } from '../support/charts/own-chart.js';
import { getPage, openForward } from '../support/forward-page.js';
import { freePort } from '../support/free-port.js';
import { waitFor } from '../support/wait-for.js';
import { deleteWithKind, NOTHING, run, tracesOf } from './support/engines.js';
import { BUILD_MS, SlipwayContainer } from './support/slipway-container.js';

jest.setTimeout(300_000);

const CLUSTER = 'boxed';
const TAG = (process.env['APP_TEST_NODE_IMAGE'] ?? 'kindest/node:v1.37.0').split(':').at(-1) ?? '';
const NODE_PORT = 30_080;
const PAGE = 'served from a Pod';

/** A web server, which the port mapping and the port-forward reach. Its image is in the node image of the tests. */
const CHART = {
  name: 'page',
  version: '1.0.0',
  files: {
    'templates/page.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: page
spec:
  selector: { matchLabels: { app: page } }
  template:
    metadata: { labels: { app: page } }
    spec:
      hostNetwork: true
      terminationGracePeriodSeconds: 1
      containers:
        - name: page
          image: docker.io/library/busybox:1.36
          command: [sh, -c, "echo '${PAGE}' | tee /tmp/index.html && exec httpd -f -p ${NODE_PORT} -h /tmp"]
---
apiVersion: v1
kind: Service
metadata:
  name: page
spec:
  selector: { app: page }
  ports: [{ name: http, port: 80, targetPort: ${NODE_PORT} }]
`,
  },
};

/** Each part relies on the parts before it. */
describe('Slipway in a container', () => {
  const slipway = new SlipwayContainer();
  const folder = mkdtempSync(join(tmpdir(), 'container-spec-'));
  let hostPort: number;

  beforeAll(async () => {
    await deleteWithKind('docker', CLUSTER);
    await slipway.build();
    hostPort = await freePort();
    await slipway.start();
  }, BUILD_MS);

  afterAll(async () => {
    await slipway.discard();
    await deleteWithKind('docker', CLUSTER);
    rmSync(folder, { recursive: true });
  });

  it('has an image below 600 MB that runs as the user 1000', async () => {
    const facts = await run('docker', [
      'image',
      'inspect',
      '--format={{.Size}} {{.Config.User}}',
      slipway.image,
    ]);
    const [size, user] = facts.split(' ');
    expect(Number(size)).toBeLessThan(600e6);
    expect(user).toBe('1000:1000');
    expect(await run('docker', ['exec', slipway.name, 'docker', 'version', '--format={{.Server.Os}}'])).toBe(
      'linux',
    );
  });

  it('requires a sign-in, and takes the names of the host only', async () => {
    const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;
    const port = new URL(slipway.url).port;
    expect(await statusOf(`${slipway.url}/api/v1/clusters`)).toBe(401);
    expect(await statusOf(`http://127.0.0.1:${port}/api/v1/health`)).toBe(200);
    const foreign = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', 'Host: slipway.test'];
    expect(await run('curl', [...foreign, `${slipway.url}/api/v1/health`])).toBe('403');
    const log = await slipway.log();
    expect(log).toContain(`${slipway.url}/login#link=`);
    expect(log).not.toContain('without encryption');
    await slipway.signIn();
  });

  it('creates a cluster, for which it joins the network of the nodes', async () => {
    const mapping = { host_port: hostPort, container_port: NODE_PORT };
    await slipway.job('POST', '/clusters', {
      name: CLUSTER,
      workers: 0,
      node_image_tag: TAG,
      port_mappings: [mapping],
    });
    expect(
      await slipway.inspect('{{range $name, $_ := .NetworkSettings.Networks}}{{$name}} {{end}}'),
    ).toMatch(/\bkind\b/);
  });

  it('hands out a kubeconfig that works on the host', async () => {
    const text = await slipway.call<string>('GET', `/clusters/${CLUSTER}/kubeconfig`);
    const file = join(folder, 'kubeconfig');
    writeFileSync(file, text, { mode: 0o600 });
    expect(text).toMatch(/server: https:\/\/127\.0\.0\.1:\d+$/m);
    expect(await run('kubectl', ['--kubeconfig', file, 'get', 'nodes', '--output=name'])).toBe(
      `node/${CLUSTER}-control-plane`,
    );
  });

  it('installs a chart, whose Pod the mapped port of the host reaches', async () => {
    await slipway.call('POST', `/clusters/${CLUSTER}/addons/charts`, await packChart(CHART));
    const chart = { repository: 'uploaded', chart: 'page', release: 'page', namespace: 'web' };
    await slipway.job('POST', `/clusters/${CLUSTER}/addons`, chart);
    const reached = async (): Promise<boolean> =>
      (await (await fetch(`http://127.0.0.1:${hostPort}/`).catch(() => undefined))?.text())?.trim() === PAGE;
    await waitFor(reached, 'The page at the mapped port', 60_000);
  });

  it('opens an addon on the host', async () => {
    const { url } = await slipway.call<AddonForwardDto>(
      'POST',
      `/clusters/${CLUSTER}/addons/releases/page/forward`,
      {},
    );
    expect(url).toMatch(new RegExp(`^http://[a-z]{12}\\.localhost:${slipway.forwardPort}/\\?slipway_key=`));
    expect((await openForward(url)).text.trim()).toBe(PAGE);
    expect((await getPage(new URL('/', url).href)).status).toBe(403);
  });

  it.each([
    ['node', (source: LogSourceDto) => source.name === `${CLUSTER}-control-plane`, ''],
    ['Pod', (source: LogSourceDto) => source.name.startsWith('page-'), PAGE],
  ])('reads the log of a %s', async (_kind, fits, line) => {
    const board = `${slipway.boardUrl}/api`;
    const found = async (): Promise<boolean> => {
      const sources = await slipway.call<LogSourceDto[]>('GET', '/sources', undefined, board);
      for (const { id } of sources.filter(fits)) {
        const { lines } = await slipway.call<LinePageDto>(
          'GET',
          `/sources/${id}/lines?limit=500`,
          undefined,
          board,
        );
        if (lines.some(({ text }) => text.includes(line))) return true;
      }
      return false;
    };
    await waitFor(found, 'A line', 60_000);
  });

  it('does not store its own log, which contains sign-in links', async () => {
    const board = `${slipway.boardUrl}/api`;
    const sources = await slipway.call<LogSourceDto[]>('GET', '/sources', undefined, board);
    expect(sources.find(({ name }) => name === slipway.name)).toMatchObject({
      next_seq: 1,
      reason: expect.stringContaining('sign-in links'),
    });
  });

  it.each([
    ['a restart', () => slipway.restart()],
    ['an update, which replaces the container', () => slipway.down().then(() => slipway.up())],
  ])('reaches the cluster after %s', async (_what, renew) => {
    await renew();
    await slipway.signIn();
    const readable = async (): Promise<boolean> => {
      const path = `/clusters/${CLUSTER}/resources/core/v1/nodes`;
      const table = await slipway.call<ResourceTableDto>('GET', path).catch(() => undefined);
      return table?.rows.length === 1;
    };
    await waitFor(readable, 'The nodes of the cluster', 30_000);
    const [cluster] = await slipway.call<ClusterDto[]>('GET', '/clusters');
    expect(cluster).toMatchObject({ name: CLUSTER, state: 'running' });
  });

  it('stops, starts and deletes the cluster', async () => {
    await slipway.job('POST', `/clusters/${CLUSTER}/stop`);
    await slipway.job('POST', `/clusters/${CLUSTER}/start`);
    await slipway.call('DELETE', `/clusters/${CLUSTER}`);
    expect(await tracesOf('docker', CLUSTER)).toEqual(NOTHING);
    expect(await slipway.call('GET', '/clusters')).toEqual([]);
  });
});
