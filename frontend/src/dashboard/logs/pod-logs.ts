import { Component, computed, effect, inject, input, linkedSignal, untracked } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { PodContainerDto } from '../../shared/api/api-types';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { LogPane } from './log-pane';
import { PodLogReader } from './pod-log-reader';

const ROLES = { init: $localize`init`, sidecar: $localize`sidecar`, main: '', ephemeral: $localize`debug` };

/** Logs of a Pod in the object panel, read from the cluster and followed. */
@Component({
  selector: 'sw-pod-logs',
  imports: [LogPane, UI],
  providers: [PodLogReader],
  host: { class: 'flex-column fill' },
  template: `
    @if (containers(); as all) {
      <sw-log-pane
        label="Log of {{ chosen() | swRaw }}"
        i18n-label
        name="{{ pod() }}-{{ chosen() }}"
        [endText]="endText()"
        (reload)="open()"
      >
        <label class="field container">
          <span i18n class="sr-only">Container</span>
          <select #choice (change)="chosen.set(choice.value)">
            @for (each of all; track each.name) {
              <option [value]="each.name" [selected]="each.name === chosen()">
                {{ labelOf(each) | swRaw }}
              </option>
            }
          </select>
        </label>
        @if (container()?.restarts) {
          <label i18n class="check">
            <input #before type="checkbox" [checked]="previous()" (change)="previous.set(before.checked)" />
            Previous instance
          </label>
        }
      </sw-log-pane>
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load the containers" i18n-heading [of]="read" />
    } @else {
      <sw-skeleton-rows label="Loading the log" i18n-label [height]="22" />
    }
  `,
  styles: `
    .container {
      flex: 1 1 10rem;
    }
  `,
})
export class PodLogs {
  private readonly run = inject(PodLogReader);
  readonly key = input.required<ClusterKey>();
  readonly namespace = input.required<string>();
  readonly pod = input.required<string>();

  protected readonly read = apiResource('/api/v1/clusters/{name}/pods/{namespace}/{pod}/containers', () => ({
    ...this.key(),
    namespace: this.namespace(),
    pod: this.pod(),
  }));
  protected readonly containers = computed(() => this.read.current()?.containers);
  protected readonly chosen = linkedSignal<readonly PodContainerDto[] | undefined, string | undefined>({
    source: this.containers,
    computation: (all, before) =>
      all?.find(({ name }) => name === before?.value)?.name ??
      (all?.find(({ role }) => role === 'main') ?? all?.[0])?.name,
  });
  protected readonly container = computed(() =>
    this.containers()?.find(({ name }) => name === this.chosen()),
  );
  protected readonly previous = linkedSignal({ source: this.chosen, computation: () => false });
  protected readonly endText = computed(() =>
    this.previous() ? $localize`This instance has terminated.` : $localize`The container has terminated.`,
  );

  constructor() {
    effect(() => {
      this.chosen();
      this.previous();
      untracked(() => this.open());
    });
  }

  protected labelOf({ name, role, waiting }: PodContainerDto): string {
    const details = [ROLES[role], waiting].filter(Boolean);
    return details.length === 0 ? name : `${name} (${details.join(', ')})`;
  }

  protected open(): void {
    const container = this.chosen();
    if (container === undefined) {
      this.run.stop();
      return;
    }
    const [key, namespace, pod] = [this.key(), this.namespace(), this.pod()];
    void this.run.read({ key, namespace, pod, container, previous: this.previous() });
  }
}
