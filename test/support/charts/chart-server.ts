import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stringify as writeYaml } from 'yaml';
import { packChart, type OwnChart } from './own-chart.js';

/** Media types of charts in registries: https://helm.sh/docs/topics/registries/ */
const OCI = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.cncf.helm.config.v1+json',
  chart: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
};

interface Served {
  chart: OwnChart;
  packed: Buffer;
}

/**
 * Serves charts on loopback: as a repository with an index, and as a registry with the same charts in `charts/`.
 */
export class ChartServer {
  /** Requests in order, with their credentials. */
  readonly requests: { path: string; authorization: string | undefined }[] = [];
  /** Required credentials. */
  credentials: { username: string; password: string } | undefined;
  /** Replaces the index. */
  indexText: string | undefined;
  /** Base URL of charts in the index. */
  chartsAt = '';
  /** Redirect of chart requests. */
  redirectTo: string | undefined;

  private constructor(
    private readonly server: Server,
    private readonly charts: ReadonlyMap<string, Served>,
  ) {}

  static async start(charts: readonly OwnChart[]): Promise<ChartServer> {
    const packed = new Map<string, Served>();
    for (const chart of charts) {
      packed.set(`/${chart.name}-${chart.version}.tgz`, { chart, packed: await packChart(chart) });
    }
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      own.requests.push({ path, authorization: request.headers.authorization });
      if (own.isAuthorized(request.headers.authorization)) own.reply(path, response);
      else response.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end();
    });
    const own = new ChartServer(server, packed);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return own;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private reply(path: string, response: ServerResponse): void {
    if (path.startsWith('/v2/')) {
      this.replyAsRegistry(path, response);
      return;
    }
    const found = this.charts.get(path);
    if (path === '/index.yaml') response.end(this.indexText ?? this.index());
    else if (!found) response.writeHead(404).end();
    else if (this.redirectTo === undefined) response.end(found.packed);
    else response.writeHead(302, { location: `${this.redirectTo}${path}` }).end();
  }

  private replyAsRegistry(path: string, response: ServerResponse): void {
    const [, name = '', what, reference = ''] =
      /^\/v2\/charts\/([^/]+)\/(manifests|blobs|tags)\/([^?]+)/.exec(path) ?? [];
    const versions = [...this.charts.values()].filter(({ chart }) => chart.name === name);
    const send = (type: string, content: Buffer): void => {
      response.writeHead(200, {
        'content-type': type,
        'content-length': content.length,
        'docker-content-digest': digestOf(content),
      });
      response.end(content);
    };
    if (path === '/v2/') response.end('{}');
    else if (what === 'tags' && versions.length > 0) {
      send('application/json', json({ name, tags: versions.map(({ chart }) => chart.version) }));
    } else {
      for (const served of versions) {
        const manifest = manifestOf(served);
        const config = configOf(served);
        if (what === 'manifests' && [served.chart.version, digestOf(manifest)].includes(reference)) {
          send(OCI.manifest, manifest);
        } else if (what === 'blobs' && reference === digestOf(config)) send(OCI.config, config);
        else if (what === 'blobs' && reference === digestOf(served.packed)) send(OCI.chart, served.packed);
        else continue;
        return;
      }
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"errors":[{"code":"NAME_UNKNOWN","message":"unknown"}]}');
    }
  }

  private isAuthorized(authorization: string | undefined): boolean {
    if (!this.credentials) return true;
    const { username, password } = this.credentials;
    return authorization === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }

  private index(): string {
    const entries: Record<string, object[]> = {};
    for (const [path, { chart }] of this.charts) {
      (entries[chart.name] ??= []).push({
        apiVersion: 'v2',
        name: chart.name,
        version: chart.version,
        appVersion: chart.version,
        description: 'A chart of a test',
        urls: [`${this.chartsAt}${path.slice(this.chartsAt === '' ? 1 : 0)}`],
        created: '2026-01-01T00:00:00Z',
      });
    }
    return writeYaml({ apiVersion: 'v1', entries, generated: '2026-01-01T00:00:00Z' });
  }
}

function configOf({ chart: { name, version } }: Served): Buffer {
  return json({ apiVersion: 'v2', name, version });
}

function manifestOf(served: Served): Buffer {
  const part = (mediaType: string, content: Buffer): object => ({
    mediaType,
    digest: digestOf(content),
    size: content.length,
  });
  return json({
    schemaVersion: 2,
    mediaType: OCI.manifest,
    config: part(OCI.config, configOf(served)),
    layers: [part(OCI.chart, served.packed)],
  });
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
