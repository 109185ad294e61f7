import { computed, effect, inject, Injectable, signal, untracked } from '@angular/core';
import { Api, clusterPage } from '../../shared/api/api';
import type { SearchResultDto } from '../../shared/api/api-types';
import { CommonEntries } from '../../shared/palette/common-entries';
import { SessionRights } from '../../shared/session/may-change';
import { ClustersStore } from '../../shared/live/clusters-store';
import { ApiResource, TYPING_PAUSE_MS } from '../../shared/loading/api-resource';
import { Forwarding } from '../forwards/forwarding';
import { forwardObject } from '../forwards/target-ports';
import { objectPage, writeObject } from '../resource-model/resource-address';
import { ResourceActions } from '../resources/resource-actions';
import { KindRights } from '../external/kind-rights';
import { Shells } from '../shells/shells';
import type { PaletteEntry } from '../../shared/palette/palette-entry';
import { fits, type ObjectCommand, readCommand, SHELL } from './object-commands';
import { unsearchedNotes } from '../resource-model/unsearched-notes';

/** One letter would match nearly everything. */
const MIN_LETTERS = 2;
const MAX_RESULTS = 30;
/** Pods in which a shell is offered without a command. */
const MAX_SHELLS = 2;
/** Results of which the rights are read for commands. */
const MAX_RIGHTS = 5;

/** Searches object names in all clusters, also for commands such as "Restart web". Provided by the palette. */
@Injectable()
export class NameSearch {
  private readonly actions = inject(ResourceActions);
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly session = inject(SessionRights);
  private readonly common = inject(CommonEntries);
  private readonly forwarding = inject(Forwarding);
  private readonly rights = inject(KindRights);
  private readonly shells = inject(Shells);
  readonly text = signal('');
  private readonly command = computed(() => readCommand(this.text()));
  private readonly query = computed(() => {
    const text = this.command()?.name ?? this.text().trim();
    return text.length < MIN_LETTERS ? null : text;
  });
  private readonly search = new ApiResource(
    async (text: string, signal) => ({
      ...(await this.api.get('/api/v1/search', { q: text, limit: MAX_RESULTS }, signal)),
      text,
    }),
    () => this.query() ?? undefined,
    { delayMs: TYPING_PAUSE_MS },
  );
  private readonly response = this.search.value;
  private readonly results = computed(() => (this.query() === null ? [] : (this.response()?.results ?? [])));
  readonly busy = this.search.isLoading;
  /** Results of the last response. They stay until the next one, so that the list does not jump. */
  readonly entries = computed<readonly PaletteEntry[]>(() =>
    this.results().flatMap((found) => [...this.commandsOf(found), this.entryOf(found)]),
  );
  /** Shells in the best Pods that were found. */
  readonly shellEntries = computed<readonly PaletteEntry[]>(() =>
    this.shellPods().map((pod) => ({ ...this.commandOf(SHELL, pod), found: false })),
  );
  private readonly shellPods = computed(() =>
    this.command()
      ? []
      : this.results()
          .filter(
            (found) =>
              fits(SHELL, found) &&
              this.mayChange(found) &&
              found.name.includes(this.query()?.toLowerCase() ?? ''),
          )
          .slice(0, MAX_SHELLS),
  );
  /** The parts that the search did not cover, and why. */
  readonly notes = computed<readonly string[]>(() => {
    if (this.query() === null) return [];
    const failure = this.search.problem();
    if (failure) return [$localize`Could not search the clusters. ${failure.message}:reason:`];
    const response = this.response();
    return response ? unsearchedNotes(response) : [];
  });

  constructor() {
    // For the commands that are offered.
    effect(() => {
      const pods = this.command() ? this.results() : this.shellPods();
      untracked(() => {
        for (const { cluster: name, runtime, namespace } of pods.slice(0, MAX_RIGHTS)) {
          void this.rights.readOn({ name, runtime }, namespace);
        }
      });
    });
  }

  private commandsOf(found: SearchResultDto): PaletteEntry[] {
    return (this.command()?.commands ?? [])
      .filter(
        (command) =>
          fits(command, found) &&
          ((command.action === 'forward' && this.session.mayChange()) || this.mayChange(found)),
      )
      .map((command) => this.commandOf(command, found));
  }

  private mayChange({ cluster, runtime }: SearchResultDto): boolean {
    return (
      this.session.mayChange() && this.clusters.find(cluster, runtime)?.external?.changes_allowed !== false
    );
  }

  private commandOf(command: ObjectCommand, found: SearchResultDto): PaletteEntry {
    const entry = this.entryOf(found);
    const port = this.command()?.port;
    const { cluster: name, runtime, namespace } = found;
    const denied = this.rights.on({ name, runtime }, namespace).deniedAction(command.action, found);
    return {
      ...entry,
      ...(denied !== null && { denied, detail: denied }),
      id: `${command.action} ${entry.id}`,
      group: 'actions',
      icon: command.icon,
      text: command.textOf(found.name, port === undefined ? '' : ` ${port}`),
      needsServer: true,
      run: () => this.run(command, found, port),
    };
  }

  private async run({ action }: ObjectCommand, found: SearchResultDto, port?: number): Promise<void> {
    const { cluster: name, runtime, name: object } = found;
    const key = { name, runtime };
    const namespace = found.namespace ?? '';
    const target = forwardObject(found);
    if (action === 'shell') this.shells.start({ key, target: 'container', namespace, pod: object });
    else if (action === 'files') await this.common.go(clusterPage(key, 'files', namespace, object));
    else if (action !== 'forward') await this.actions.start(action, key, found);
    else if (target) await this.forwarding.startFor(key, target, port);
  }

  private entryOf(found: SearchResultDto): PaletteEntry {
    const { cluster, runtime, group, plural, kind, namespace, name } = found;
    return {
      id: `name ${runtime}/${cluster} ${plural}.${group} ${writeObject({ namespace, name })}`,
      group: 'names',
      icon: 'box',
      text: name,
      detail: [kind, namespace, cluster].filter((part) => part !== null).join(', '),
      found: this.response()?.text === this.query(),
      run: () => this.common.go(objectPage({ name: cluster, runtime }, found)),
    };
  }
}
