import { computed, inject, Injectable, signal } from '@angular/core';
import type { SearchResultDto } from '../../shared/api/api-types';
import { CommonEntries } from '../../shared/palette/common-entries';
import { ApiResource, typingPause } from '../../shared/loading/api-resource';
import { objectPage, writeObject } from '../resources/resource-address';
import { ResourceActions } from '../resources/resource-actions';
import { ResourcesApi } from '../resources/resources-api';
import { Shells } from '../shells/shells';
import type { PaletteEntry } from '../../shared/palette/palette-entry';
import { fits, type ObjectCommand, readCommand } from './object-commands';
import { unsearchedNotes } from './unsearched-notes';

/** One letter would match nearly everything. */
const MIN_LETTERS = 2;
const MAX_RESULTS = 30;
/** The action before a name, as in "Shell web". */
const SHELL_WORD = /^shell\s+/i;

/** Searches object names in all clusters, also for commands such as "Restart web". Provided by the palette. */
@Injectable()
export class NameSearch {
  private readonly actions = inject(ResourceActions);
  private readonly api = inject(ResourcesApi);
  private readonly common = inject(CommonEntries);
  private readonly shells = inject(Shells);
  readonly text = signal('');
  private readonly command = computed(() => readCommand(this.text()));
  private readonly query = computed(() => {
    const text = this.command()?.name ?? this.text().trim().replace(SHELL_WORD, '');
    return text.length < MIN_LETTERS ? null : text;
  });
  private readonly search = new ApiResource(
    async (text: string, abort) => {
      await typingPause(abort);
      return { ...(await this.api.find(text, MAX_RESULTS)), text };
    },
    () => this.query() ?? undefined,
  );
  private readonly response = this.search.value;
  readonly busy = this.search.isLoading;
  /** Results of the last response. They stay until the next one, so that the list does not jump. */
  readonly entries = computed<readonly PaletteEntry[]>(() =>
    this.query() === null
      ? []
      : (this.response()?.results ?? []).flatMap((found) => [...this.commandsOf(found), this.entryOf(found)]),
  );
  /** Shells in the Pods that were found: all of them for "Shell web", otherwise in the best ones. */
  readonly shellEntries = computed<readonly PaletteEntry[]>(() => {
    const pods = (this.query() === null ? [] : (this.response()?.results ?? [])).filter(isPod);
    return pods
      .slice(0, SHELL_WORD.test(this.text().trim()) ? MAX_RESULTS : 2)
      .map((pod) => this.shellIn(pod));
  });
  /** What the search did not cover, and why. */
  readonly notes = computed<readonly string[]>(() => {
    if (this.query() === null) return [];
    const failure = this.search.problem();
    if (failure) return [$localize`Could not search the clusters. ${failure.message}:reason:`];
    const response = this.response();
    return response ? unsearchedNotes(response) : [];
  });

  private shellIn({ cluster: name, runtime, namespace, name: pod }: SearchResultDto): PaletteEntry {
    return {
      id: `shell ${runtime}/${name} ${namespace}/${pod}`,
      group: 'actions',
      icon: 'terminal',
      text: $localize`Shell ${pod}:pod:`,
      detail: [namespace, name].join(', '),
      run: () =>
        this.shells.start({
          key: { name, runtime },
          target: 'container',
          namespace: namespace ?? '',
          pod,
        }),
    };
  }

  private commandsOf(found: SearchResultDto): PaletteEntry[] {
    return (this.command()?.commands ?? [])
      .filter((command) => fits(command, found))
      .map((command) => this.commandOf(command, found));
  }

  private commandOf({ action, icon, textOf }: ObjectCommand, found: SearchResultDto): PaletteEntry {
    const { cluster: name, runtime } = found;
    const entry = this.entryOf(found);
    return {
      ...entry,
      id: `${action} ${entry.id}`,
      group: 'actions',
      icon,
      text: textOf(found.name),
      run: () => this.actions.start(action, { name, runtime }, found),
    };
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

function isPod({ group, plural }: SearchResultDto): boolean {
  return group === 'core' && plural === 'pods';
}
