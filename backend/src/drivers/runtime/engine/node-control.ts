import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, hasCode } from '../../../core/errors/index.js';
import type { RestartPolicy } from '../runtime-driver.js';
import type { EngineConnection } from './engine-connection.js';
import { engineMessage } from './engine-error.js';

type Call = Parameters<EngineConnection['read']>[0];

/** Long, since engines may be busy with other containers. */
const DEADLINE_MS = 30_000;

/**
 * With cgroups v1, freezing can fail while processes are being created, as in a node that has just been started
 * (opencontainers/runc#2774, #2791).
 */
const FREEZING = { tries: 4, pauseMs: 500 };

/** kind's network for the nodes of all clusters. */
const NETWORK = 'kind';

/** kind uses `on-failure:1` for Docker nodes. */
const POLICIES: Record<RestartPolicy, { Name: string; MaximumRetryCount: number }> = {
  no: { Name: 'no', MaximumRetryCount: 0 },
  'on-failure': { Name: 'on-failure', MaximumRetryCount: 1 },
};

/** Changes the state of containers. Errors are ignored if a container already has the desired state. */
export class NodeControl {
  constructor(private readonly connection: EngineConnection) {}

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

  /** Retries if the container is still running. */
  async pause(name: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.change(name, `pause ${name}`, ['paused'], (client, abortSignal) =>
          client.getContainer(name).pause({ abortSignal }),
        );
        return;
      } catch (error) {
        const isRefusal = hasCode(error, 'node_unchanged');
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

  /** Reconnects the container to its network, since an address can only be set when connecting. */
  async fixAddress(name: string, address: string | null): Promise<void> {
    const network = await this.disconnect(name);
    const connect = (what: string, settings: object): Promise<void> =>
      this.change(name, what, [], (client, abortSignal) =>
        client.getNetwork(network).connect({ Container: name, ...settings, abortSignal }),
      );
    const connectToAny = (): Promise<void> =>
      connect(`connect ${name} to network ${network}, which its next start retries`, {});
    if (address === null) {
      await connectToAny();
      return;
    }
    try {
      await connect(`assign address ${address} to ${name}`, {
        EndpointConfig: { IPAMConfig: { IPv4Address: address } },
      });
    } catch (error) {
      // Another address is better than no network.
      if (hasCode(error, 'node_unchanged')) await connectToAny();
      throw error;
    }
  }

  /** @returns the network of the container, or kind's if an earlier call was interrupted after the disconnect. */
  private async disconnect(name: string): Promise<string> {
    let network = NETWORK;
    await this.change(name, `disconnect ${name} from its network`, [], async (client, abortSignal) => {
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
      // Not modified: the container already has the desired state.
      if (error instanceof DomainError) throw error;
      if ((error as { statusCode?: number }).statusCode === 304) return;
      if (reached.length > 0 && reached.includes(await this.stateOf(name))) return;
      throw new DomainError(
        'node_unchanged',
        `${this.connection.engine} could not ${what}: ${engineMessage(error)}.`,
        { node: name },
        { cause: error },
      );
    }
  }

  private async stateOf(name: string): Promise<string> {
    try {
      const { State } = await this.connection.read((client, abortSignal) =>
        client.getContainer(name).inspect({ abortSignal }),
      );
      return (State?.Status ?? '').toLowerCase();
    } catch {
      // The original error is more useful than this one.
      return '';
    }
  }
}
