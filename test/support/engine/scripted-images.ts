import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../transcripts/transcript.js';
import { long, short } from './engine-responses.js';
import type { EngineWorld, ScriptedNode } from './engine-world.js';

type Reply = Pick<Exchange, 'status' | 'body'>;

/** The one program that the product runs in nodes of kind's own images. */
const LIST_IMAGES = 'crictl images --output=json';
const STDOUT = 1;

/**
 * Images of users, volumes, and programs in nodes. Follows the documentation of the API, since the recordings do not
 * contain these calls.
 * https://docs.docker.com/reference/api/engine/
 */
export class ScriptedImages {
  /** Whether archives stop in their middle. */
  stalls = false;
  /** Size of each volume. */
  volumeBytes = 412_000_000;
  private readonly executions = new Map<string, string>();

  constructor(private readonly world: EngineWorld) {}

  async save(reference: string, response: ServerResponse): Promise<Reply | undefined> {
    const image = this.world.built.get(reference);
    if (!image) return { status: 404, body: { message: `No such image: ${reference}` } };
    response.writeHead(200, { 'content-type': 'application/x-tar' });
    const middle = Math.floor(image.archive.length / 2);
    response.write(image.archive.subarray(0, middle));
    if (this.stalls) await once(response, 'close');
    else response.end(image.archive.subarray(middle));
    return undefined;
  }

  remove(reference: string): Reply {
    const { built, images, nodes } = this.world;
    const names = [reference, short(reference), long(reference)];
    if (nodes.some((node) => names.includes(node.image))) {
      return {
        status: 409,
        body: { message: `conflict: unable to remove repository reference "${reference}" (must force)` },
      };
    }
    const existed = names.map((name) => images.delete(name) || built.delete(name)).includes(true);
    return existed
      ? { status: 200, body: [{ Untagged: reference }] }
      : { status: 404, body: { message: `No such image: ${reference}` } };
  }

  measure(): unknown {
    const volumes = [...this.world.volumes.keys()];
    return { Volumes: volumes.map((Name) => ({ Name, UsageData: { Size: this.volumeBytes, RefCount: 1 } })) };
  }

  /** @throws Error for a program that Slipway does not run. */
  execute(node: ScriptedNode | undefined, body: string): Reply {
    const { Cmd } = JSON.parse(body) as { Cmd: string[] };
    const command = Cmd.join(' ');
    const isJournal = /^(?:sh -c )?journalctl --no-pager /.test(command);
    if (command !== LIST_IMAGES && command !== 'crictl images' && !isJournal) {
      throw new Error(`no script for "${command}" in a node`);
    }
    if (!node) return { status: 404, body: { message: 'No such container' } };
    if (node.state !== 'running') {
      return { status: 409, body: { message: `Container ${node.id} is ${node.state}` } };
    }
    const id = randomBytes(32).toString('hex');
    this.executions.set(id, isJournal ? `${node.name} systemd[1]: Started.\n` : imagesOf(node));
    return { status: 201, body: { Id: id } };
  }

  startExecution(id: string, response: ServerResponse): Reply | undefined {
    const output = this.executions.get(id);
    if (output === undefined) return { status: 404, body: { message: `No such exec instance: ${id}` } };
    response.writeHead(200, { 'content-type': 'application/vnd.docker.raw-stream' });
    const header = Buffer.alloc(8);
    header[0] = STDOUT;
    header.writeUInt32BE(Buffer.byteLength(output), 4);
    response.end(Buffer.concat([header, Buffer.from(output)]));
    return undefined;
  }

  execution(id: string): Reply {
    return this.executions.has(id)
      ? { status: 200, body: { ID: id, Running: false, ExitCode: 0 } }
      : { status: 404, body: { message: `No such exec instance: ${id}` } };
  }
}

/** As crictl lists them. */
function imagesOf({ loaded }: ScriptedNode): string {
  const pause = { id: `sha256:${'5'.repeat(64)}`, reference: 'registry.k8s.io/pause:3.10.1' };
  return JSON.stringify({
    images: [pause, ...loaded].map(({ id, reference }) => ({
      id,
      repoTags: [reference],
      repoDigests: [],
      size: '736000',
    })),
  });
}
