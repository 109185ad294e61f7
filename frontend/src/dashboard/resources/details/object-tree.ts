import { NgTemplateOutlet } from '@angular/common';
import { Component, computed, input } from '@angular/core';
import type { ResourceObjectDto } from '../../../shared/api/api-types';

interface Branch {
  key: string;
  /** Of a leaf. */
  text: string;
  branches: readonly Branch[];
}

/** Deeper ones, and larger ones, open on demand. */
const OPEN_DEPTH = 2;
const OPEN_SIZE = 12;

/** Spec and status of a custom resource, whose fields Slipway does not know. Its conditions have their own list. */
@Component({
  selector: 'sw-object-tree',
  imports: [NgTemplateOutlet],
  template: `
    @for (part of parts(); track part.key) {
      <section>
        <h3 class="sm">{{ part.key }}</h3>
        <ng-container *ngTemplateOutlet="list; context: { $implicit: part.branches, depth: 1 }" />
      </section>
    }
    <ng-template #list let-branches let-depth="depth">
      <ul class="sm">
        @for (branch of branches; track branch.key) {
          <li>
            @if (branch.branches.length > 0) {
              <details class="disclosure" [open]="depth < openDepth && branch.branches.length <= openSize">
                <summary class="mono">{{ branch.key }}</summary>
                <ng-container
                  *ngTemplateOutlet="list; context: { $implicit: branch.branches, depth: depth + 1 }"
                />
              </details>
            } @else {
              <span class="mono soft">{{ branch.key }}:</span>&ngsp;
              <span class="mono anywhere">{{ branch.text }}</span>
            }
          </li>
        }
      </ul>
    </ng-template>
  `,
  styles: `
    li {
      padding: 2px 0;
      overflow-wrap: anywhere;
    }
    ul ul {
      padding-left: 14px;
    }
  `,
  host: { class: 'stack' },
})
export class ObjectTree {
  readonly object = input.required<ResourceObjectDto>();
  protected readonly openDepth = OPEN_DEPTH;
  protected readonly openSize = OPEN_SIZE;
  protected readonly parts = computed(() => {
    const { spec, status } = this.object();
    const rest = Object.entries(status ?? {}).filter(([field]) => field !== 'conditions');
    return [branchOf('Spec', spec), branchOf('Status', Object.fromEntries(rest))].filter(
      ({ branches }) => branches.length > 0,
    );
  });
}

function branchOf(key: string, value: unknown): Branch {
  if (typeof value !== 'object' || value === null) return { key, text: String(value), branches: [] };
  const branches = Object.entries(value).map(([name, each]) => branchOf(name, each));
  return { key, text: Array.isArray(value) ? '[]' : '{}', branches };
}
