import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EngineName } from '../../transcripts/transcript.js';

const execute = promisify(execFile);

/** The engines to test. An engine that does not respond fails the suite. */
export const engines: readonly EngineName[] = (process.env['APP_TEST_ENGINES'] ?? 'docker,podman')
  .split(',')
  .map((entry) => {
    const name = entry.trim();
    if (name !== 'docker' && name !== 'podman') {
      throw new Error(`APP_TEST_ENGINES contains "${name}". Valid engines: docker, podman.`);
    }
    return name;
  });

/** Variables with the sockets of the engines, for a product that gets no other part of the environment. */
export function engineSockets(): Record<string, string> {
  return Object.fromEntries(
    ['DOCKER_HOST', 'APP_PODMAN_SOCKET'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Runs a program to its end. @returns its stdout. */
export async function run(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  timeout = 240_000,
): Promise<string> {
  const { stdout } = await execute(program, args, {
    env: { ...process.env, ...environment },
    timeout,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trim();
}

/** The path of a program in PATH. */
export async function pathOf(program: string): Promise<string> {
  return await run('sh', ['-c', `command -v ${program}`]);
}

/** Objects of a cluster in an engine, according to the CLI of the engine. */
export interface Traces {
  containers: string[];
  volumes: string[];
}

export const NOTHING: Traces = { containers: [], volumes: [] };

/** The containers of a cluster, and the volumes that they use or that are named after a node. */
export async function tracesOf(engine: EngineName, cluster: string): Promise<Traces> {
  const label = `label=io.x-k8s.kind.cluster=${cluster}`;
  const containers = lines(await run(engine, ['ps', '-a', '--filter', label, '--format', '{{.Names}}']));
  const volumes = new Set<string>();
  for (const container of containers) {
    const mounts = await run(engine, [
      'inspect',
      '--format={{range .Mounts}}{{if eq .Type "volume"}}{{println .Name}}{{end}}{{end}}',
      container,
    ]);
    for (const volume of lines(mounts)) volumes.add(volume);
  }
  for (const volume of lines(await run(engine, ['volume', 'ls', '--format', '{{.Name}} {{.Labels}}']))) {
    if (volume.includes(`${cluster}-`)) volumes.add(volume.split(' ')[0] ?? '');
  }
  return { containers: containers.sort(), volumes: [...volumes].sort() };
}

/** The containers of a cluster, and those of its former volumes that still exist. */
export async function leftOf(engine: EngineName, cluster: string, had: Traces): Promise<Traces> {
  const now = await tracesOf(engine, cluster);
  const all = lines(await run(engine, ['volume', 'ls', '--quiet']));
  return {
    ...now,
    volumes: [...new Set([...now.volumes, ...had.volumes.filter((name) => all.includes(name))])],
  };
}

/** Creates a cluster with kind, without the product. */
export async function createWithKind(
  engine: EngineName,
  cluster: string,
  kubeconfig: string,
  configFile?: string,
): Promise<void> {
  const config = configFile === undefined ? [] : [`--config=${configFile}`];
  await run(
    'kind',
    ['create', 'cluster', '--name', cluster, '--kubeconfig', kubeconfig, ...config, ...imageFlag()],
    { KIND_EXPERIMENTAL_PROVIDER: engine },
  );
}

/** Deletes the remains of a cluster at the end of a spec. */
export async function deleteWithKind(engine: EngineName, cluster: string): Promise<void> {
  await run('kind', ['delete', 'cluster', '--name', cluster, '--kubeconfig', '/dev/null'], {
    KIND_EXPERIMENTAL_PROVIDER: engine,
  }).catch(() => undefined);
}

function imageFlag(): string[] {
  const image = process.env['APP_TEST_NODE_IMAGE'];
  return image === undefined ? [] : ['--image', image];
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
