import { Component, computed, input } from '@angular/core';
import type { PodCondition } from 'kubernetes-types/core/v1';
import type { ResourceObjectDto } from '../../../shared/api/api-types';
import { type DetailRow, DetailRows } from './detail-rows';

/** The conditions in the status of an object. Empty without any. */
@Component({
  selector: 'sw-object-conditions',
  imports: [DetailRows],
  template: `
    @if (conditions().length > 0) {
      <h3 i18n class="sm">Conditions</h3>
      <dl titles="strong" [swDetailRows]="conditions()"></dl>
    }
  `,
})
export class ObjectConditions {
  readonly object = input.required<ResourceObjectDto>();
  protected readonly conditions = computed((): DetailRow[] => {
    const { conditions } = (this.object().status ?? {}) as { conditions?: unknown };
    // Custom resources define their status themselves.
    const all = Array.isArray(conditions) ? (conditions as (Partial<PodCondition> | null)[]) : [];
    return all.flatMap((each) => {
      const { type, status = '', reason, message, lastTransitionTime: time } = each ?? {};
      if (typeof type !== 'string') return [];
      const parts = [{ text: status }, ...(reason ? [{ text: reason, look: 'soft' }] : [])];
      return [{ title: type, parts, time, message }];
    });
  });
}
