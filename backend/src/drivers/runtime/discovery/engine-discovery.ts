import { setTimeout as delay } from 'node:timers/promises';
import type { Configuration } from '../../../core/config/index.js';
import { reasonOf } from '../../../core/errors/index.js';
import { DockerRuntimeDriver } from '../docker-runtime-driver.js';
import { EngineConnection } from '../engine/engine-connection.js';
import type { EngineRuntimeDriver } from '../engine/engine-runtime-driver.js';
import { possibleContainers } from '../engine/own-container.js';
import { PodmanRuntimeDriver } from '../podman-runtime-driver.js';
import type { RuntimeAttempt } from '../runtime-registry.js';
import { discoverDocker } from './docker-discovery.js';
import { describeEndpoint, type EngineCandidate } from '../host/engine-candidate.js';
import type { HostView } from '../host/host-view.js';
import { ASK_WAIT_MS, EngineSurvey, PROBE_DEADLINE_MS } from './engine-survey.js';
import { discoverPodman, podmanSocketFix } from './podman-discovery.js';

export type EngineName = 'docker' | 'podman';
export const ENGINES: readonly EngineName[] = ['docker', 'podman'];

/** The result for one engine: a driver, or a reason. */
export interface Finding {
  engine: EngineName;
  driver: EngineRuntimeDriver | undefined;
  attempts: RuntimeAttempt[];
  reason: string | null;
  fix: string | null;
}

interface Check {
  attempt: RuntimeAttempt;
  driver?: EngineRuntimeDriver;
}

/** Looks for engines in their usual locations, and checks what responds there. */
export class EngineDiscovery {
  /** Checks whose result no search has used, by engine and address. */
  private readonly checks = new Map<string, Promise<Check>>();
  readonly survey: EngineSurvey;

  constructor(
    private readonly configuration: Configuration,
    private readonly host: HostView,
    /** Whether the engine's CLI is installed, for the advice only. */
    private readonly hasProgram: (engine: EngineName) => Promise<boolean>,
  ) {
    this.survey = new EngineSurvey(host, configuration.values);
  }

  async find(engine: EngineName): Promise<Finding> {
    const { dockerHost, podmanSocket } = this.configuration.values;
    const { candidates, refused } =
      engine === 'docker'
        ? await discoverDocker(this.host, dockerHost)
        : await discoverPodman(this.host, podmanSocket);
    const attempts: RuntimeAttempt[] = refused.map((location) => ({
      ...location,
      address: null,
      answered: false,
    }));
    // Podman may serve Docker's socket (podman-docker).
    const foreign =
      engine === 'podman' && dockerHost !== ''
        ? (await discoverDocker(this.host, dockerHost)).candidates
        : [];
    for (const candidate of [...candidates, ...foreign]) {
      const attempt = await this.check(candidate, engine);
      attempts.push(attempt.attempt);
      if (attempt.driver) return { engine, driver: attempt.driver, attempts, reason: null, fix: null };
    }
    // That Docker is at Docker's address says nothing about a Podman that has ended.
    const own = attempts.slice(0, refused.length + candidates.length);
    const telling = own.length > 0 ? own : attempts;
    return { engine, driver: undefined, attempts, ...(await this.advise(engine, telling)) };
  }

  /** Starts a check of a location, or waits for the one that is running. */
  private async check(candidate: EngineCandidate, wanted: EngineName): Promise<Check> {
    const { source } = candidate;
    const address = describeEndpoint(candidate.endpoint);
    const key = `${wanted} ${address}`;
    const check = this.checks.get(key) ?? this.tryCandidate(candidate, wanted);
    this.checks.set(key, check);
    const result = await Promise.race([check, delay(ASK_WAIT_MS, undefined, { ref: false })]);
    if (result) {
      this.checks.delete(key);
      return result;
    }
    const reason = `${wanted} at ${address} is not available: it is busy and has not returned its version yet.`;
    return { attempt: { source, address, answered: false, reason, fix: null } };
  }

  private async tryCandidate(candidate: EngineCandidate, wanted: EngineName): Promise<Check> {
    const attempt: RuntimeAttempt = {
      source: candidate.source,
      address: describeEndpoint(candidate.endpoint),
      answered: false,
      reason: null,
      fix: null,
    };
    const { endpoint } = candidate;
    if (endpoint.type === 'socket' && (await this.host.isFolder(endpoint.path))) {
      // Docker creates a folder if a container mounts a socket that does not exist.
      attempt.reason = `${wanted} at ${endpoint.path} is not available: the path is a folder.`;
      attempt.fix = `Remove the folder and start the engine: sudo rmdir ${endpoint.path} && ${this.startFix(wanted)}`;
      return { attempt };
    }
    try {
      const connection = await EngineConnection.open(wanted, candidate.endpoint);
      await connection.ping();
      const version = await connection.read(
        (client, abortSignal) => client.version({ abortSignal }),
        PROBE_DEADLINE_MS,
      );
      const actual: EngineName = version.Components?.some((component) => component.Name === 'Podman Engine')
        ? 'podman'
        : 'docker';
      attempt.answered = true;
      if (actual !== wanted) {
        attempt.reason = `The engine at ${attempt.address ?? ''} is ${actual}.`;
        return { attempt };
      }
      const ownIds = await possibleContainers(this.host, this.configuration.values.container);
      const driver =
        actual === 'docker'
          ? new DockerRuntimeDriver(connection, candidate, ownIds)
          : new PodmanRuntimeDriver(connection, candidate, ownIds);
      await driver.probe(PROBE_DEADLINE_MS);
      return { attempt, driver };
    } catch (error) {
      attempt.reason = reasonOf(error);
      attempt.fix = this.fixFor(wanted, error) ?? candidate.fix ?? null;
      return { attempt };
    }
  }

  private async advise(
    engine: EngineName,
    attempts: readonly RuntimeAttempt[],
  ): Promise<{ reason: string; fix: string | null }> {
    // If the address belongs to the other engine, starting this one does not help.
    const foreign = attempts.find((attempt) => attempt.answered && attempt.reason !== null);
    if (foreign) return { reason: foreign.reason ?? '', fix: null };
    const telling =
      attempts.find((attempt) => attempt.fix !== null) ??
      attempts.find((attempt) => !attempt.answered && attempt.reason !== null);
    const installed = await this.hasProgram(engine);
    if (telling?.reason) return { reason: telling.reason, fix: telling.fix ?? this.startFix(engine) };
    if (!installed) return { reason: `${engine} is not installed.`, fix: null };
    const missing = engine === 'podman' ? 'API socket' : 'engine';
    const reason = `${engine} is installed, but its ${missing} is not running.`;
    return { reason, fix: this.startFix(engine) };
  }

  private startFix(engine: EngineName): string {
    if (engine === 'podman') return podmanSocketFix(this.host);
    return this.host.platform === 'linux' ? 'sudo systemctl start docker' : 'open -a Docker';
  }

  private fixFor(engine: EngineName, error: unknown): string | null {
    const { code } = (error as { cause?: { code?: string } }).cause ?? {};
    if (code !== 'EACCES' && code !== 'EPERM') return null;
    if (engine === 'podman') return podmanSocketFix(this.host);
    return 'sudo usermod -aG docker "$USER"   # then sign in again';
  }
}
