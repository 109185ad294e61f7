import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { RestartPolicy } from '../runtime-driver.js';
import type { InspectedContainer } from './engine-answers.js';
import type { EngineConnection } from './engine-connection.js';

type Call = Parameters<EngineConnection['read']>[0];

/** An engine that is busy with other containers takes its time; one that takes longer than this hangs. */
const DEADLINE_MS = 30_000;

/** kind's network for the nodes of all clusters. */
const NETWORK = 'kind';

/** Engines write policies as an object; kind's own for Docker's nodes is `on-failure:1`. */
const POLICIES: Record<RestartPolicy, { Name: string; MaximumRetryCount: number }> = {
  no: { Name: 'no', MaximumRetryCount: 0 },
  'on-failure': { Name: 'on-failure', MaximumRetryCount: 1 },
};

/** Changes the state of single containers. An engine's refusal counts only where the container is not so already. */
export class NodeControl {
  constructor(
    private readonly engine: string,
    private readonly connection: EngineConnection,
  ) {}

  async start(name: string): Promise<void> {
    await this.change(name, 'start', ['running'], (client, abortSignal) =>
      client.getContainer(name).start({ abortSignal }),
    );
  }

  async stop(name: string, graceSeconds: number): Promise<void> {
    await this.change(
      name,
      'stop',
      ['exited', 'created', 'configured', 'stopped', 'dead'],
      (client, abortSignal) => client.getContainer(name).stop({ t: graceSeconds, abortSignal }),
      graceSeconds * 1000 + DEADLINE_MS,
    );
  }

  async pause(name: string): Promise<void> {
    await this.change(name, 'pause', ['paused'], (client, abortSignal) =>
      client.getContainer(name).pause({ abortSignal }),
    );
  }

  async unpause(name: string): Promise<void> {
    await this.change(name, 'unpause', ['running'], (client, abortSignal) =>
      client.getContainer(name).unpause({ abortSignal }),
    );
  }

  async setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    await this.change(name, 'set the restart policy of', [], (client, abortSignal) =>
      client.getContainer(name).update({ RestartPolicy: POLICIES[policy], abortSignal }),
    );
  }

  /** An address is said where a container is connected, and this one's connection is the network's that kind made. */
  async fixAddress(name: string, address: string | null): Promise<void> {
    await this.change(name, 'set the address of', [], async (client, abortSignal) => {
      const network = client.getNetwork(NETWORK);
      await network.disconnect({ Container: name, abortSignal });
      const anyAddress = (): Promise<unknown> => network.connect({ Container: name, abortSignal });
      if (address === null) return await anyAddress();
      try {
        return await network.connect({
          Container: name,
          EndpointConfig: { IPAMConfig: { IPv4Address: address } },
          abortSignal,
        });
      } catch (error) {
        // On another address it serves, without a network it does not.
        await anyAddress();
        throw error;
      }
    });
  }

  private async change(
    name: string,
    verb: string,
    reached: readonly string[],
    call: Call,
    deadlineMs = DEADLINE_MS,
  ): Promise<void> {
    try {
      await this.connection.read(call, deadlineMs);
    } catch (error) {
      // Nothing was answered, or "not modified": what was asked for is so already.
      if (error instanceof DomainError) throw error;
      if ((error as { statusCode?: number }).statusCode === 304) return;
      if (reached.length > 0 && reached.includes(await this.stateOf(name))) return;
      throw new DomainError(
        'node_unchanged',
        `${this.engine} could not ${verb} ${name}: ${withoutFullStop(redact(engineWords(error)))}.`,
        { node: name },
        { cause: error },
      );
    }
  }

  private async stateOf(name: string): Promise<string> {
    try {
      return ((await this.inspect(name)).State?.Status ?? '').toLowerCase();
    } catch {
      // The refusal itself says more than that the container cannot be looked at.
      return '';
    }
  }

  private async inspect(name: string): Promise<InspectedContainer> {
    return await this.connection.read((client, abortSignal) =>
      client.getContainer(name).inspect({ abortSignal }),
    );
  }
}

/** The engine's own sentence, without what its client puts around it. */
function engineWords(error: unknown): string {
  const { json } = error as { json?: { message?: unknown } | null };
  return typeof json?.message === 'string' ? json.message : reasonOf(error);
}

function withoutFullStop(sentence: string): string {
  return sentence.trim().replace(/\.$/, '');
}
