import { setTimeout as delay } from 'node:timers/promises';
import { Ajv, type AnySchema } from 'ajv';
import { parse as parseYaml, parseAllDocuments, stringify as writeYaml } from 'yaml';
import type { KubernetesObject } from '../../../backend/src/drivers/kubernetes/index.js';
import { readChartArchive } from '../../../backend/src/drivers/package-manager/chart-archive.js';
import type { Chart, ReleaseStatus } from '../../../backend/src/drivers/package-manager/package-manager.js';
import { renderChart } from '../charts/render-chart.js';
import { HelmCall, HelmError } from './helm-call.js';
import { HelmCluster } from './helm-cluster.js';
import { playPull, playUpdate } from './helm-repository.js';
import type { ScriptedProcess } from './program-stage.js';

/** Variables that child processes must not have. */
const SECRETS = ['APP_PASS', 'SECRET_KEY', 'ENCRYPTION_KEY'];
const HOMES = ['HELM_CACHE_HOME', 'HELM_CONFIG_HOME', 'HELM_DATA_HOME'];
const POLL_MS = 50;

type Values = Record<string, unknown>;

interface Revision {
  revision: number;
  status: ReleaseStatus;
  chart: Chart;
  updated: string;
  description: string;
  config: Values;
  computed: Values;
  notes: string;
  manifest: string;
}

interface Rendered {
  chart: Chart;
  config: Values;
  computed: Values;
  notes: string;
  manifest: string;
}

/**
 * Simulates helm with output and exit statuses that were recorded from 3.22.0 and 4.3.1. It connects to clusters through
 * the given kubeconfig and creates the objects of test charts. It keeps releases in memory. A killed operation leaves its
 * release pending.
 */
export class ScriptedHelm {
  /** The next operations of this command fail after their first object with this message, or only the next one. */
  failure:
    { command: 'install' | 'upgrade' | 'rollback' | 'uninstall'; message: string; once?: true } | undefined;
  /** The next operations of this command hang. */
  hangsAt: string | undefined;
  /** Whether reads of the history wait. */
  holdsHistory = false;
  /** A hanging operation and its child process ignore SIGTERM. */
  stubborn = false;
  /** Processes of operations, in order. */
  readonly operations: ScriptedProcess[] = [];
  private readonly releases = new Map<string, Revision[]>();

  private readonly players: Record<
    string,
    (process: ScriptedProcess, call: HelmCall, cluster: HelmCluster) => Promise<void>
  > = {
    list: (process, call, cluster) => this.playList(process, call, cluster),
    history: (process, call, cluster) => this.playHistory(process, call, cluster),
    status: (process, call, cluster) => this.playStatus(process, call, cluster),
    'get values': (process, call, cluster) => this.playValues(process, call, cluster),
    template: (process, call) => this.playTemplate(process, call),
    install: (process, call, cluster) => this.playInstall(process, call, cluster),
    upgrade: (process, call, cluster) => this.playUpgrade(process, call, cluster),
    rollback: (process, call, cluster) => this.playRollback(process, call, cluster),
    uninstall: (process, call, cluster) => this.playUninstall(process, call, cluster),
  };

  constructor(readonly version: '3.22.0' | '4.3.1') {}

  get major(): 3 | 4 {
    return this.version.startsWith('3') ? 3 : 4;
  }

  /** States of the revisions of a release, oldest first. */
  statesOf(namespace: string, release: string): ReleaseStatus[] {
    const found = [...this.releases].find(([key]) => key.endsWith(` ${namespace}/${release}`));
    return (found?.[1] ?? []).map(({ status }) => status);
  }

  play = async (process: ScriptedProcess): Promise<void> => {
    const { args, environment } = process.call;
    const leaked = SECRETS.filter((name) => name in environment);
    if (leaked.length > 0) throw new Error(`it was given ${leaked.join(', ')}`);
    const homeless = HOMES.filter((name) => args[0] !== 'version' && !environment[name]);
    if (homeless.length > 0) throw new Error(`it was not given ${homeless.join(', ')}`);
    try {
      const call = HelmCall.read(args, this.major);
      if (call.command === 'version') process.print('stdout', `v${this.version}+g0000000`);
      else if (call.command === 'repo update') await playUpdate(process, call, this.major);
      else if (call.command === 'pull') await playPull(process, call);
      else if (call.command === 'template' && call.flag('dry-run') === 'client') {
        if (call.has('kubeconfig')) throw new Error('a client-side dry run is given no kubeconfig');
        await this.playTemplate(process, call);
      } else await this.playIn(process, call);
      process.exit(0);
    } catch (error) {
      // A killed process does nothing more, even if its requests succeed.
      if (process.gone.aborted) return;
      if (!(error instanceof HelmError)) throw error;
      process.print('stderr', `Error: ${error.message}`);
      process.exit(1);
    }
  };

  private async playTemplate(process: ScriptedProcess, call: HelmCall): Promise<void> {
    process.print('stdout', (await this.render(call)).manifest);
  }

  private async playIn(process: ScriptedProcess, call: HelmCall): Promise<void> {
    const player = this.players[call.command];
    if (/^(install|upgrade|rollback|uninstall)$/.test(call.command)) this.operations.push(process);
    if (!player) throw new Error(`helm has no script for ${call.command}`);
    const cluster = await HelmCluster.reach(await call.file('kubeconfig'), this.major);
    try {
      await player(process, call, cluster);
    } finally {
      cluster.leave();
    }
  }

  private async playList(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    for (const flag of ['all-namespaces', 'max', 'time-format']) call.flag(flag);
    const rows = [...this.releases].flatMap(([key, revisions]) => {
      const last = revisions.at(-1);
      const [, namespace, name] = /^\S+ ([^/]+)\/(.+)$/.exec(key) ?? [];
      if (!last || !key.startsWith(`${cluster.server} `)) return [];
      // Without the flag, helm 3 omits pending releases.
      if (this.major === 3 && !call.has('all') && !/^(deployed|failed)$/.test(last.status)) return [];
      return [{ name, namespace, ...rowOf(last), revision: String(last.revision) }];
    });
    await printJson(process, call, rows);
  }

  private async playHistory(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    while (this.holdsHistory) await delay(POLL_MS, undefined, { signal: process.gone });
    const revisions = this.existing(call, cluster);
    await printJson(
      process,
      call,
      revisions.map((one) => ({ ...rowOf(one), description: one.description })),
    );
  }

  private async playStatus(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    const { revision, status, description, notes, config, manifest } = this.chosen(call, cluster);
    await printJson(process, call, {
      name: call.positional[0],
      info: { status, description, ...(notes === '' ? {} : { notes }) },
      ...(Object.keys(config).length === 0 ? {} : { config }),
      manifest,
      version: revision,
      namespace: call.flag('namespace'),
    });
  }

  private playValues(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    call.flag('all');
    process.print('stdout', writeYaml(this.chosen(call, cluster).computed, { sortMapEntries: true }));
    return Promise.resolve();
  }

  private async playInstall(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    const revisions = this.revisionsOf(call, cluster);
    if (revisions.length > 0) {
      const reason =
        this.major === 3
          ? 'cannot re-use a name that is still in use'
          : 'release name check failed: cannot reuse a name that is still in use';
      throw new HelmError(`INSTALLATION FAILED: ${reason}`);
    }
    const rendered = await this.render(call, 'INSTALLATION FAILED: ');
    if (call.has('create-namespace')) await cluster.makeNamespace(call.flag('namespace'));
    await this.bringAbout(process, call, cluster, rendered, 'INSTALLATION FAILED: ', {
      status: 'pending-install',
      description: 'Install complete',
    });
  }

  private async playUpgrade(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    const last = this.revisionsOf(call, cluster).at(-1);
    const [release = ''] = call.positional;
    if (!last) throw new HelmError(`UPGRADE FAILED: "${release}" has no deployed releases`);
    if (last.status.startsWith('pending-')) {
      throw new HelmError('UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress');
    }
    const rendered = await this.render(call, 'UPGRADE FAILED: ');
    await this.bringAbout(process, call, cluster, rendered, 'UPGRADE FAILED: ', {
      status: 'pending-upgrade',
      description: 'Upgrade complete',
    });
  }

  private async playRollback(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    const wanted = Number(call.positional[1]);
    const then = this.existing(call, cluster).find(({ revision }) => revision === wanted);
    if (!then) throw new HelmError('release has no such revision');
    await this.bringAbout(process, call, cluster, then, '', {
      status: 'pending-rollback',
      description: `Rollback to ${wanted}`,
    });
  }

  private async playUninstall(process: ScriptedProcess, call: HelmCall, cluster: HelmCluster): Promise<void> {
    call.flag('ignore-not-found');
    const last = this.revisionsOf(call, cluster).at(-1);
    if (!last) return;
    last.status = 'uninstalling';
    await this.hangIfScripted(process, call);
    this.failIfScripted(call, (reason) => {
      throw new HelmError(`uninstallation completed with 1 error(s): ${reason}`);
    });
    for (const object of objectsOf(last, call).toReversed()) await cluster.remove(object, process.gone);
    this.releases.delete(this.keyOf(call, cluster));
    process.print('stdout', `release "${call.positional[0] ?? ''}" uninstalled`);
  }

  /** The common part of install, upgrade and rollback. */
  private async bringAbout(
    process: ScriptedProcess,
    call: HelmCall,
    cluster: HelmCluster,
    { chart, config, computed, notes, manifest }: Rendered,
    prefix: string,
    { status, description }: Pick<Revision, 'status' | 'description'>,
  ): Promise<void> {
    const revisions = this.revisionsOf(call, cluster);
    const own: Revision = {
      ...{ chart, config, computed, notes, manifest, status, description },
      revision: (revisions.at(-1)?.revision ?? 0) + 1,
      updated: new Date().toISOString(),
    };
    this.releases.set(this.keyOf(call, cluster), [...revisions, own]);
    const fail = (reason: string): never => {
      own.status = 'failed';
      own.description = `${call.command} failed: ${reason}`;
      throw new HelmError(`${prefix}${reason}`);
    };
    const deadline = Date.now() + call.timeoutMs;
    const objects = objectsOf(own, call);
    for (const [index, object] of objects.entries()) {
      if (index === 1) this.failIfScripted(call, fail);
      await cluster.apply(object);
    }
    await this.hangIfScripted(process, call);
    call.flag('wait');
    while (!(await cluster.areReady(objects))) {
      if (Date.now() > deadline) fail('context deadline exceeded');
      await delay(POLL_MS, undefined, { signal: process.gone });
    }
    for (const before of revisions) if (before.status === 'deployed') before.status = 'superseded';
    own.status = 'deployed';
  }

  private failIfScripted({ command }: HelmCall, fail: (reason: string) => never): void {
    const { failure } = this;
    if (failure?.command !== command) return;
    if (failure.once) this.failure = undefined;
    fail(failure.message);
  }

  private async hangIfScripted(process: ScriptedProcess, { command }: HelmCall): Promise<void> {
    if (this.hangsAt !== command) return;
    if (this.stubborn) await process.beStubborn();
    await delay(2 ** 31 - 1, undefined, { signal: process.gone });
  }

  private async render(call: HelmCall, prefix = ''): Promise<Rendered> {
    const [release = '', file = ''] = call.positional;
    const chart = await readChartArchive(file);
    const config = (parseYaml(await call.file('values'), { version: '1.1' }) ?? {}) as Values;
    const computed = { ...(parseYaml(chart.defaultValues) as Values | null), ...config };
    const validate = new Ajv({ strict: false }).compile(
      (chart.schema === null ? true : JSON.parse(chart.schema)) as AnySchema,
    );
    if (!validate(computed)) {
      const errors = (validate.errors ?? []).map(
        ({ instancePath, message }) => `- at '${instancePath}': ${message ?? ''}`,
      );
      throw new HelmError(
        `${prefix}values don't meet the specifications of the schema(s) in the following chart(s):\n${chart.name}:\n${errors.join('\n')}\n`,
      );
    }
    const templates = await renderChart(file, {
      Release: { Name: release, Namespace: call.flag('namespace') },
      Chart: { Name: chart.name, Version: chart.version },
      Values: computed,
    });
    const notes = templates.get('templates/NOTES.txt') ?? '';
    templates.delete('templates/NOTES.txt');
    const manifest = [...templates]
      .map(([path, text]) => `---\n# Source: ${chart.name}/${path}\n${text}`)
      .join('');
    return { chart, config, computed, notes, manifest };
  }

  private chosen(call: HelmCall, cluster: HelmCluster): Revision {
    const revisions = this.existing(call, cluster);
    if (!call.has('revision')) return revisions.at(-1) as Revision;
    const found = revisions.find(({ revision }) => String(revision) === call.flag('revision'));
    if (!found) throw new HelmError('release: not found');
    return found;
  }

  private existing(call: HelmCall, cluster: HelmCluster): Revision[] {
    const revisions = this.revisionsOf(call, cluster);
    if (revisions.length === 0) throw new HelmError('release: not found');
    return revisions;
  }

  private revisionsOf(call: HelmCall, cluster: HelmCluster): Revision[] {
    return this.releases.get(this.keyOf(call, cluster)) ?? [];
  }

  private keyOf(call: HelmCall, { server }: HelmCluster): string {
    return `${server} ${call.flag('namespace')}/${call.positional[0] ?? ''}`;
  }
}

function objectsOf({ manifest }: Pick<Revision, 'manifest'>, call: HelmCall): KubernetesObject[] {
  return parseAllDocuments(manifest).map((document) => {
    const object = document.toJS() as KubernetesObject;
    return { ...object, metadata: { ...object.metadata, namespace: call.flag('namespace') } };
  });
}

function rowOf({ revision, status, chart, updated }: Revision): object {
  return {
    revision,
    updated,
    status,
    chart: `${chart.name}-${chart.version}`,
    app_version: chart.appVersion ?? '',
  };
}

function printJson(process: ScriptedProcess, call: HelmCall, value: unknown): Promise<void> {
  if (call.flag('output') !== 'json') throw new Error('expected --output=json');
  process.print('stdout', JSON.stringify(value));
  return Promise.resolve();
}
