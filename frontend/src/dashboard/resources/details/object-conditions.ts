import { Component, computed, input } from '@angular/core';
import type { PodCondition } from 'kubernetes-types/core/v1';
import type { ResourceObjectDto } from '../../../shared/api/api-types';
import { UI } from '../../../shared/ui/ui';

/** The conditions in the status of an object. Empty without any. */
@Component({
  selector: 'sw-object-conditions',
  imports: [UI],
  template: `
    @if (conditions().length > 0) {
      <h3 i18n class="sm">Conditions</h3>
      <dl class="meta-list">
        @for (each of conditions(); track each.type) {
          <dt class="strong">{{ each.type }}</dt>
          <dd>
            {{ each.status }}
            @if (each.reason) {
              &ngsp;<span class="soft">{{ each.reason }}</span>
            }
            @if (each.lastTransitionTime; as time) {
              &ngsp;<sw-ago class="muted" [time]="time" />
            }
            @if (each.message) {
              <div class="soft xs">{{ each.message }}</div>
            }
          </dd>
        }
      </dl>
    }
  `,
})
export class ObjectConditions {
  readonly object = input.required<ResourceObjectDto>();
  protected readonly conditions = computed(() => {
    const { conditions } = (this.object().status ?? {}) as { conditions?: unknown };
    // Custom resources define their status themselves.
    const all = Array.isArray(conditions) ? (conditions as (Partial<PodCondition> | null)[]) : [];
    return all.filter((each): each is Partial<PodCondition> => typeof each?.type === 'string');
  });
}
