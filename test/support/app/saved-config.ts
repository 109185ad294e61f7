import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiResponse } from './api-client.js';
import type { TestApp } from './start-app.js';

export const CONFIG_HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
export const NODE_IMAGE = 'docker.io/kindest/node:v1.34.4';

/** A config of one control plane and so many workers. @param more is appended. */
export function configOf(name: string, workers: number, more = ''): string {
  const nodes = ['control-plane', ...Array<string>(workers).fill('worker')];
  return `${CONFIG_HEAD}name: ${name}\nnodes:\n${nodes.map((role) => `  - role: ${role}\n    image: ${NODE_IMAGE}\n`).join('')}${more}`;
}

/** The ETag of a config. */
export function tagOf(text: string | Buffer): string {
  return `"${createHash('sha256').update(text).digest('hex')}"`;
}

/** The config of a cluster, through the API and on disk. */
export class SavedConfig {
  constructor(
    private readonly app: TestApp,
    private readonly name: string,
  ) {}

  /** @param rest such as `/applied`. */
  path(rest = ''): string {
    return `/api/v1/clusters/${this.name}/config${rest}`;
  }

  /** The path of a saved file of the cluster. */
  file(entry: string): string {
    return join(this.app.dataDirectory, 'clusters', this.name, entry);
  }

  read(entry = 'cluster.yaml'): string {
    return readFileSync(this.file(entry), 'utf8');
  }

  /** Sends YAML, by default with the ETag of the saved config. */
  async put(
    text: string | Buffer,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> {
    return await this.app.client.send('PUT', this.path(query), {
      text,
      headers: { 'content-type': 'application/yaml', 'if-match': tagOf(this.read()), ...headers },
    });
  }
}
