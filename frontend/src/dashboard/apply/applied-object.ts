import { Component, computed, inject, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { changeCount } from '../../shared/live/change-count';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { rightsIn } from '../external/kind-rights';
import { ObjectReachable } from '../forwards/object-reachable';
import { logsOfObject } from '../logs/log-board-url';
import { LogLink } from '../logs/log-link';
import { OBJECT, objectPage, objectParams, type ObjectName } from '../resource-model/resource-address';
import { rolloutText } from '../resources/details/rollout';
import { ResourceActions } from '../resources/resource-actions';

/** An object that was applied, as it becomes ready, with what to do next. */
@Component({
  selector: 'sw-applied-object',
  imports: [LogLink, ObjectReachable, UI],
  template: `
    <div class="flow sm">
      @if (state(); as state) {
        <sw-state [state]="state.done ? 'ok' : 'running'" [ofWork]="true" [silent]="true" />
        <span role="status">{{ state.text }}</span>
      }
      <a i18n class="btn small" [swLink]="page()">Open {{ object().name | swRaw }}</a>
      @if (found(); as found) {
        @if (found.actions.includes('expose')) {
          <button
            i18n
            class="btn small"
            data-changes
            [attr.data-denied]="rights.deniedAction('expose', object())"
            (click)="actions.run('expose', key(), found)"
          >
            <sw-icon name="external" />Expose…
          </button>
        }
        @if (logs(); as logs) {
          <sw-log-link [of]="logs" [name]="found.name" />
        }
      }
    </div>
    @if (found(); as found) {
      <sw-object-reachable [key]="key()" [object]="found" />
    }
  `,
  host: { class: 'stack tight' },
})
export class AppliedObject {
  protected readonly actions = inject(ResourceActions);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ObjectName>();
  /** Optional: what was applied shows even if it fails. */
  private readonly read = apiResource(OBJECT, () => objectParams(this.key(), this.object()), {
    reloadOn: changeCount(() => {
      const { runtime, name } = this.key();
      const { group, version, plural } = this.object();
      return [`resources:${runtime}/${name}/${group}/${version}/${plural}`];
    }),
  });
  protected readonly found = computed(() => this.read.value() ?? undefined, {
    equal: (before, found) => before?.resource_version === found?.resource_version,
  });
  protected readonly rights = rightsIn(() => ({ key: this.key(), namespaces: [this.object().namespace] }));
  protected readonly page = computed(() => objectPage(this.key(), this.object()));
  protected readonly logs = computed(() => {
    const found = this.found();
    return found ? logsOfObject(this.key(), found) : null;
  });
  /** Undefined for kinds without a rollout. */
  protected readonly state = computed(() => {
    const found = this.found();
    const rollout = found ? rolloutText(found) : null;
    if (!found || rollout === null) return undefined;
    const { replicas } = found;
    const {
      readyReplicas = 0,
      numberReady = 0,
      desiredNumberScheduled = 0,
    } = (found.status ?? {}) as Partial<
      Record<'readyReplicas' | 'numberReady' | 'desiredNumberScheduled', number>
    >;
    const [ready, all] =
      replicas === null ? [numberReady, desiredNumberScheduled] : [readyReplicas, replicas];
    return { done: ready >= all, text: $localize`${ready}:ready: of ${all}:all: ready` };
  });
}
