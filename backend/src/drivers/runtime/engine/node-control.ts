import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { RestartPolicy } from '../runtime-driver.js';
import type { InspectedContainer } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';

type Call = Parameters<EngineConnection['read']>[0];

/** An engine that is busy with other containers takes its time; one that takes longer than this hangs. */
const DEADLINE_MS = 30_000;

/**
 * Control groups of version 1 freeze by chance while processes come to be in them, as in a node that has just been
 * started: the engine's runtime thaws what it did not get to freeze, and fails (opencontainers/runc#2774, #2791).
 */
const FREEZING = { tries: 4, pauseMs: 500 };

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
    await this.change(name, `start ${name}`, ['running'], (client, abortSignal) =>
      client.getContainer(name).start({ abortSignal }),
    );
  }

  async stop(name: string, graceSeconds: number): Promise<void> {
    await this.change(
      name,
      `stop ${name}`,
      ['exited', 'created', 'configured', 'stopped', 'dead'],
      (client, abortSignal) => client.getContainer(name).stop({ t: graceSeconds, abortSignal }),
      graceSeconds * 1000 + DEADLINE_MS,
    );
  }

  /** What runs and could not be frozen is tried again. */
  async pause(name: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.change(name, `pause ${name}`, ['paused'], (client, abortSignal) =>
          client.getContainer(name).pause({ abortSignal }),
        );
        return;
      } catch (error) {
        const isRefusal = error instanceof DomainError && error.code === 'node_unchanged';
        if (!isRefusal || tries === FREEZING.tries || (await this.stateOf(name)) !== 'running') throw error;
        await delay(FREEZING.pauseMs);
      }
    }
  }

  async unpause(name: string): Promise<void> {
    await this.change(name, `unpause ${name}`, ['running'], (client, abortSignal) =>
      client.getContainer(name).unpause({ abortSignal }),
    );
  }

  async setRestartPolicy(name: string, policy: RestartPolicy): Promise<void> {
    await this.change(name, `set the restart policy of ${name}`, [], (client, abortSignal) =>
      client.getContainer(name).update({ RestartPolicy: POLICIES[policy], abortSignal }),
    );
  }

  /** An address is said where a container is connected to its network, so it is taken off and connected again. */
  async fixAddress(name: string, address: string | null): Promise<void> {
    const network = await this.takeOffNetwork(name);
    const connect = (what: string, settings: object): Promise<void> =>
      this.change(name, what, [], (client, abortSignal) =>
        client.getNetwork(network).connect({ Container: name, ...settings, abortSignal }),
      );
    const connectAnyhow = (): Promise<void> =>
      connect(`connect ${name} to the network ${network}, which its next start tries again`, {});
    if (address === null) {
      await connectAnyhow();
      return;
    }
    try {
      await connect(`give ${name} the address ${address}`, {
        EndpointConfig: { IPAMConfig: { IPv4Address: address } },
      });
    } catch (error) {
      // Without a network it serves nothing; on another address it may.
      if (error instanceof DomainError && error.code === 'node_unchanged') await connectAnyhow();
      throw error;
    }
  }

  /** @returns the network that it was on. One without any was cut off from it in between: it belongs to kind's. */
  private async takeOffNetwork(name: string): Promise<string> {
    let network = NETWORK;
    await this.change(name, `take ${name} off its network`, [], async (client, abortSignal) => {
      const { NetworkSettings } = await client.getContainer(name).inspect({ abortSignal });
      const [first, ...others] = Object.keys(NetworkSettings?.Networks ?? {});
      if (first === undefined) return;
      network = others.includes(NETWORK) ? NETWORK : first;
      await client.getNetwork(network).disconnect({ Container: name, abortSignal });
    });
    return network;
  }

  private async change(
    name: string,
    what: string,
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
        `${this.engine} could not ${what}: ${withoutFullStop(redact(engineWords(error)))}.`,
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
