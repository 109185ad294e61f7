import { hostname, release } from 'node:os';
import { Header } from 'tar';
import { sha256 } from '../images/archives.js';
import { situation, type Exchange, type Transcript } from '../../transcripts/transcript.js';
import type { EngineWorld, ScriptedNode, WorldEvent } from './engine-world.js';

type Fields = Record<string, unknown>;

/** Recorded responses with the names and values of a test. */
export class EngineResponses {
  constructor(
    private readonly transcript: Transcript,
    private readonly world: EngineWorld,
  ) {}

  ping(): unknown {
    return this.recorded('idle', 'GET /_ping').body;
  }

  version(): unknown {
    return this.recorded('idle', 'GET /version').body;
  }

  /** Of an engine on this machine itself, unless the system is a product with a virtual machine. */
  info(system: string, cgroupVersion: string): unknown {
    const body = this.recorded('idle', 'GET /info').body as Fields;
    const host = { Name: hostname(), KernelVersion: release(), OperatingSystem: system };
    return { ...body, ...host, CgroupVersion: cgroupVersion };
  }

  list(nodes: readonly ScriptedNode[]): unknown[] {
    return nodes.map((node) => this.summary(node));
  }

  inspect(node: ScriptedNode): unknown {
    const recorded = this.recorded(
      node.state === 'exited' ? 'worker-killed' : 'running',
      'GET /containers/{worker.id}/json',
    ).body as { State: Fields; Config: Fields; HostConfig: Fields; Mounts: Fields[] };
    return {
      ...recorded,
      Id: node.id,
      Name: node.name,
      State: {
        ...recorded.State,
        Status: node.state,
        ExitCode: node.exitCode,
        OOMKilled: node.outOfMemory,
        StartedAt: node.startedAt.toISOString(),
        FinishedAt: node.finishedAt?.toISOString() ?? '0001-01-01T00:00:00Z',
      },
      Config: { ...recorded.Config, Image: node.image },
      HostConfig: { ...recorded.HostConfig, PortBindings: this.bindings(node) },
      NetworkSettings: { Networks: node.connected ? { kind: { IPAddress: node.address } } : {} },
      Mounts: [
        ...recorded.Mounts.map((mount) =>
          mount['Type'] === 'volume' ? { ...mount, Name: node.volume } : mount,
        ),
        ...node.mounts.map(({ hostPath, containerPath, readOnly }) => ({
          ...recorded.Mounts.find((mount) => mount['Type'] === 'bind'),
          Source: hostPath,
          Destination: containerPath,
          RW: !readOnly,
        })),
      ],
    };
  }

  /** Containers that are not nodes, with the fields that Slipway reads. */
  foreign(): unknown[] {
    return [...this.world.foreignAddresses].map(([IPAddress, name]) => ({
      Id: sha256(name),
      Names: [`/${name}`],
      State: 'running',
      NetworkSettings: { Networks: { kind: { IPAddress } } },
    }));
  }

  /** The response to a change of a container's network, only for Podman. */
  network(operation: 'connect' | 'disconnect'): Exchange {
    return this.recorded('fixing-an-address', `POST /networks/kind/${operation}`);
  }

  /** Not recorded, since it cannot be reproduced: the error for a removed network. */
  failedConnection({ name }: ScriptedNode): Exchange {
    const message = `unable to connect ${name}: unable to find network with name or ID kind: network not found`;
    return { situation: '', request: '', status: 500, body: { message } };
  }

  /** An archive with one file, or an error. */
  archive(node: ScriptedNode | undefined, path: string): Exchange | Buffer {
    if (!node) return this.removal(node);
    const text = node.files[path];
    if (text !== undefined) return tarOf(path, text);
    return this.recorded('running', 'GET /containers/{cluster}-control-plane/archive?path=/kind/absent');
  }

  /** The recorded response to a change of a container. */
  change(what: string, when: string, node: Pick<ScriptedNode, 'name' | 'id' | 'port'>): Exchange {
    const recorded = this.transcript.exchanges.filter(
      ({ situation: recordedWhen, request }) =>
        recordedWhen === when &&
        request.startsWith('POST /containers/') &&
        request.split('?')[0]?.endsWith(`/${what}`),
    );
    return filled(situation(recorded, when), [
      [/\{cluster\}-(control-plane|worker)|not-there/g, node.name],
      [/\{(control-plane|worker)\.id\}/g, node.id],
      [/:\{port\}/g, `:${node.port}`],
    ]);
  }

  stats(node: ScriptedNode): unknown {
    const recorded = this.recorded(
      'running',
      `GET /containers/{${node.role}.id}/stats?stream=false&one-shot=true`,
    ).body as Fields;
    // A quarter of one core since it was made.
    const nanoseconds = (Date.now() - node.createdAt.getTime()) * 1e6 * 0.25;
    return {
      ...recorded,
      read: new Date().toISOString(),
      cpu_stats: { cpu_usage: { total_usage: Math.round(nanoseconds) } },
    };
  }

  images(): unknown[] {
    const [recorded = {}] = this.recorded('idle', 'GET /images/json').body as Fields[];
    const built = [...this.world.built].map(([reference, { id, sizeBytes }]) => ({
      ...recorded,
      Id: id,
      RepoTags: [reference],
      RepoDigests: [],
      Size: sizeBytes,
    }));
    const nodeImages = [...this.world.images].map((reference) => ({
      ...recorded,
      Id: idOf(reference),
      RepoTags: [reference],
    }));
    return [...nodeImages, ...built];
  }

  image(reference: string): Exchange {
    const { images, built } = this.world;
    const isHere =
      images.has(short(reference)) ||
      images.has(long(reference)) ||
      built.has(reference) ||
      [...images].some((name) => idOf(name) === reference) ||
      [...built.values()].some(({ id }) => id === reference);
    if (isHere) {
      const { body, ...response } = this.recorded('idle', 'GET /images/{image}/json');
      return { ...response, body: { ...(body as Fields), Architecture: 'amd64' } };
    }
    return this.recorded('idle', 'GET /images/docker.io/kindest/node:v0.0.1/json');
  }

  volumes(): unknown {
    return {
      Volumes: [...this.world.volumes].map(([Name, { labels, createdAt: CreatedAt }]) => ({
        ...{ Name, CreatedAt },
        Labels: this.labels(labels),
      })),
    };
  }

  volume(name: string): Exchange {
    const volume = this.world.volumes.get(name);
    if (!volume) return this.recorded('deleted', 'GET /volumes/{volume.0}');
    const { labels, createdAt } = volume;
    return {
      ...this.recorded('running', 'GET /volumes/{volume.0}'),
      body: { Name: name, Labels: labels, CreatedAt: createdAt },
    };
  }

  removal(node: ScriptedNode | undefined): Exchange {
    return node
      ? this.recorded('removing', 'DELETE /containers/{worker.id}?force=true&v=true')
      : this.recorded('idle', 'GET /containers/{absent}/stats?stream=false&one-shot=true');
  }

  /** Not recorded, since it cannot be reproduced: the engines' errors for a volume in use. */
  failedRemoval({ name }: ScriptedNode): Exchange {
    const message = `container ${name}: driver "overlay2" failed to remove root filesystem: device or resource busy`;
    return { situation: 'removing', request: '', status: 500, body: { message } };
  }

  volumeRemoval(existed: boolean): Exchange {
    return existed
      ? { situation: 'removing', request: '', status: 204 }
      : this.recorded('deleted', 'GET /volumes/{volume.0}');
  }

  pull(found: boolean): Exchange {
    return found
      ? this.recorded('pulling', 'POST /images/create?fromImage={pulled}')
      : this.recorded('pulling-what-is-not-there', 'POST /images/create?fromImage={registry}/test/image:v2');
  }

  event({ action, node }: WorldEvent): unknown {
    const { stream = [] } = this.recorded('creating', 'GET /events');
    const messages = stream as { Action?: string; Actor?: { Attributes?: Record<string, string> } }[];
    // The event is "remove" in Podman and "destroy" in Docker.
    const names = action === 'destroy' ? ['destroy', 'remove'] : [action];
    const recorded = messages.find((message) => names.includes(message.Action ?? '')) ?? {
      ...messages.find((message) => message.Action === 'start'),
      Action: action,
    };
    const exit =
      action === 'die' ? { exitCode: String(node.exitCode), containerExitCode: String(node.exitCode) } : {};
    return {
      ...recorded,
      Actor: {
        ID: node.id,
        Attributes: {
          ...recorded.Actor?.Attributes,
          ...exit,
          name: node.name,
          image: node.image,
          'io.x-k8s.kind.cluster': node.cluster,
          'io.x-k8s.kind.role': node.role,
        },
      },
      time: Math.floor(Date.now() / 1000),
      timeNano: Date.now() * 1e6,
    };
  }

  private labels(labels: Record<string, string>): unknown {
    return this.world.labelStyle === 'map'
      ? labels
      : Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  }

  private summary(node: ScriptedNode): unknown {
    const key = node.state === 'exited' ? 'worker-killed' : 'running';
    const list = this.recorded(
      key,
      'GET /containers/json?all=true&filters={"label":["io.x-k8s.kind.cluster"]}',
    ).body as { Labels: Record<string, string>; Ports?: Fields[] | null; Mounts?: Fields[] }[];
    const role = node.state === 'exited' ? 'worker' : node.role;
    const recorded = list.find(({ Labels }) => Labels['io.x-k8s.kind.role'] === role);
    if (!recorded) throw new Error(`no ${role} was recorded`);
    return {
      ...recorded,
      Id: node.id,
      Names: [`/${node.name}`],
      Image: node.image,
      State: node.state,
      Status: node.state === 'exited' ? `Exited (${node.exitCode}) 1 second ago` : 'Up 1 second',
      Created: Math.floor(node.createdAt.getTime() / 1000),
      Labels: this.labels({
        ...recorded.Labels,
        'io.x-k8s.kind.cluster': node.cluster,
        'io.x-k8s.kind.role': node.role,
      }),
      Ports: node.state === 'exited' ? [] : this.published(node, recorded.Ports ?? []),
      NetworkSettings: {
        Networks: { kind: { IPAddress: node.state === 'exited' ? '' : node.address } },
      },
      Mounts: (recorded.Mounts ?? []).map((mount) =>
        mount['Type'] === 'volume' ? { ...mount, Name: node.volume } : mount,
      ),
    };
  }

  private published(node: ScriptedNode, recorded: readonly Fields[]): Fields[] {
    const own = node.port === null ? [] : recorded.map((port) => ({ ...port, PublicPort: node.port }));
    return [
      ...own,
      ...node.ports.map(({ hostAddress, hostPort, containerPort, protocol }) => ({
        IP: hostAddress,
        PublicPort: hostPort,
        PrivatePort: containerPort,
        Type: protocol.toLowerCase(),
      })),
    ];
  }

  /** The port of the API server comes last, in the order of kind's request. */
  private bindings({ port, ports }: ScriptedNode): Record<string, Fields[]> {
    const bindings: Record<string, Fields[]> = {};
    const api =
      port === null
        ? []
        : [{ hostAddress: '127.0.0.1', hostPort: port, containerPort: 6443, protocol: 'TCP' }];
    for (const { hostAddress, hostPort, containerPort, protocol } of [...ports, ...api]) {
      const key = `${containerPort}/${protocol.toLowerCase()}`;
      (bindings[key] ??= []).push({ HostIp: hostAddress, HostPort: String(hostPort) });
    }
    return bindings;
  }

  private recorded(when: string, request: string): Exchange {
    return situation(
      this.transcript.exchanges.filter((exchange) => exchange.request.startsWith(request)),
      when,
    );
  }
}

/** A response with the names and values of a test. */
function filled({ body, ...response }: Exchange, values: readonly [RegExp, string][]): Exchange {
  if (body === undefined) return response;
  const text = values.reduce(
    (filledIn, [pattern, value]) => filledIn.replaceAll(pattern, value),
    JSON.stringify(body),
  );
  return { ...response, body: JSON.parse(text) as unknown };
}

function tarOf(path: string, text: string): Buffer {
  const content = Buffer.from(text);
  const header = Buffer.alloc(512);
  new Header({
    path: path.slice(path.lastIndexOf('/') + 1),
    type: 'File',
    mode: 0o600,
    size: content.length,
  }).encode(header, 0);
  const end = Buffer.alloc(1024 + ((512 - (content.length % 512)) % 512));
  return Buffer.concat([header, content, end]);
}

/** The id that this engine gives an image. */
function idOf(reference: string): string {
  return `sha256:${sha256(reference)}`;
}

/** Docker lists images of its own hub without the registry, Podman with it. */
export function short(reference: string): string {
  return reference.replace(/^docker\.io\//, '');
}

export function long(reference: string): string {
  return reference.startsWith('docker.io/') ? reference : `docker.io/${reference}`;
}

/** The error of Podman 4.3 for a removed container. */
export function vanished(): Pick<Exchange, 'status' | 'body'> {
  const cause = 'no such container';
  const message = `container ${'5'.repeat(64)} does not exist in database: ${cause}`;
  return { status: 500, body: { cause, message, response: 500 } };
}

/** The error of Podman 4.3 if its runtime could not pause the processes. */
export function unfrozen(id: string): Pick<Exchange, 'status' | 'body'> {
  const cause = 'exit status 1';
  return {
    status: 500,
    body: { cause, message: `\`/usr/sbin/runc pause ${id}\` failed: ${cause}`, response: 500 },
  };
}
