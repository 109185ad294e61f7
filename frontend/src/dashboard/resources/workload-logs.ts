import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto, ResourceTypeDto, TableRowDto } from '../../shared/api/api-types';
import { ApiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { LogPane } from '../logs/log-pane';
import { PodLogReader } from '../logs/pod-log-reader';
import { PodLogs } from '../logs/pod-logs';
import { HEALTH_LABELS, HEALTH_ORDER } from '../resource-model/kind-labels';
import { isPodType } from '../resource-model/resource-address';
import { findOwned } from './owned-objects';

/** The logs of the Pods of a workload: all of them merged by time, or one Pod. */
@Component({
  selector: 'sw-workload-logs',
  imports: [LogPane, PodLogs, UI],
  providers: [PodLogReader],
  template: `
    @if (pods(); as pods) {
      <label class="field choice sm">
        <span i18n class="sr-only">Pod</span>
        <select #choice (change)="chosen.set(choice.value)">
          <option i18n value="">All Pods ({{ pods.length }})</option>
          @for (pod of pods; track pod.uid) {
            <option [value]="pod.name" [selected]="pod.name === chosen()">
              {{ pod.name | swRaw }} ({{ labels[pod.health] }})
            </option>
          }
          @if (deleted(); as name) {
            <option i18n [value]="name" selected>{{ name | swRaw }} (deleted)</option>
          }
        </select>
      </label>
      @for (pod of shown(); track pod) {
        <sw-pod-logs class="fill" [key]="key()" [namespace]="namespace()" [pod]="pod" />
      } @empty {
        <sw-log-pane
          class="fill"
          label="Log of all Pods"
          i18n-label
          [name]="object().name"
          [merged]="true"
          (reload)="open()"
        />
      }
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load the Pods" i18n-heading [of]="read" />
    } @else {
      <sw-skeleton-rows label="Loading the log" i18n-label [height]="22" />
    }
  `,
  styles: `
    .choice {
      flex: none;
      margin: var(--s-2) var(--s-3) 0;
    }
  `,
  host: { class: 'flex-column fill' },
})
export class WorkloadLogs {
  private readonly api = inject(Api);
  private readonly run = inject(PodLogReader);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ResourceObjectDto>();
  readonly types = input.required<readonly ResourceTypeDto[]>();
  protected readonly read = new ApiResource(
    ({ key, object, types }, signal) => findOwned(this.api, key, object, types, signal),
    () => ({ key: this.key(), object: this.object(), types: this.types() }),
  );
  protected readonly pods = computed<TableRowDto[] | undefined>(() =>
    this.read
      .value()
      ?.filter(({ type }) => isPodType(type))
      .flatMap(({ rows }) => rows)
      .toSorted((one, other) => HEALTH_ORDER.indexOf(one.health) - HEALTH_ORDER.indexOf(other.health)),
  );
  /** The name of a Pod; empty for all. */
  protected readonly chosen = signal('');
  protected readonly deleted = computed(() => {
    const chosen = this.chosen();
    return this.pods()?.some(({ name }) => name === chosen) ? '' : chosen;
  });
  /** Its log starts over with another Pod. */
  protected readonly shown = computed(() => [this.chosen()].filter(Boolean));
  protected readonly labels = HEALTH_LABELS;
  protected readonly namespace = computed(() => this.object().namespace ?? '');
  private readonly workload = computed(() => `${this.object().type.kind}/${this.object().name}`);

  constructor() {
    effect(() => {
      this.namespace();
      this.workload();
      untracked(() => this.open());
    });
  }

  protected open(): void {
    const [key, namespace, workload] = [this.key(), this.namespace(), this.workload()];
    void this.run.read({ key, namespace, workload });
  }
}
