import { Component, computed, inject, input, linkedSignal } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ResourceObjectDto, ResourceTypeDto, TableRowDto } from '../../shared/api/api-types';
import { ApiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { PodLogs } from '../logs/pod-logs';
import { HEALTH_LABELS, HEALTH_ORDER } from '../resource-model/kind-labels';
import { isPodType } from '../resource-model/resource-address';
import { findOwned } from './owned-objects';

/** The logs of the Pods of a workload, one Pod at a time; the worst first. */
@Component({
  selector: 'sw-workload-logs',
  imports: [PodLogs, UI],
  template: `
    @if (pods(); as pods) {
      @if (pods.length > 0) {
        <label class="field pad line-below sm">
          <span i18n class="sr-only">Pod</span>
          <select #choice (change)="chosen.set(choice.value)">
            @for (pod of pods; track pod.uid) {
              <option [value]="pod.name" [selected]="pod.name === chosen()">
                {{ pod.name }} ({{ labels[pod.health] }})
              </option>
            }
          </select>
        </label>
      }
      @for (pod of shown(); track pod) {
        <sw-pod-logs class="fill" [key]="key()" [namespace]="object().namespace ?? ''" [pod]="pod" />
      } @empty {
        <sw-placeholder i18n heading="No Pods" i18n-heading>{{ object().name }} has no Pods.</sw-placeholder>
      }
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load the Pods" i18n-heading [of]="read" />
    } @else {
      <sw-skeleton-rows label="Loading the log" i18n-label [height]="22" />
    }
  `,
  host: { class: 'flex-column fill' },
})
export class WorkloadLogs {
  private readonly api = inject(Api);
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
  protected readonly chosen = linkedSignal<TableRowDto[] | undefined, string | undefined>({
    source: this.pods,
    computation: (pods, before) => (pods?.find(({ name }) => name === before?.value) ?? pods?.[0])?.name,
  });
  /** Its log starts over with another Pod. */
  protected readonly shown = computed(() => {
    const pod = this.chosen();
    return pod === undefined ? [] : [pod];
  });
  protected readonly labels = HEALTH_LABELS;
}
