import { afterRenderEffect, Component, computed, ElementRef, inject, input, output } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { ResourceTypeDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { rightsIn } from '../external/kind-rights';
import { kindKey, kindTitle } from '../resource-model/kind-labels';
import { parseNamespaces } from '../resource-model/namespaces';
import { tablePage, type TypeName } from '../resource-model/resource-address';
import { type KindGroup, OTHER_KINDS } from './kind-groups';

/** Links to the tables of all kinds, in groups that can be closed. Custom resources share one group. */
@Component({
  selector: 'sw-kind-list',
  imports: [UI],
  template: `
    @for (section of sections(); track section.title) {
      <details class="disclosure" [open]="section.open">
        <summary>{{ section.title }}</summary>
        @for (group of section.groups; track group.title) {
          @if (group.title !== section.title) {
            <p class="muted xs cut" [title]="group.title">{{ group.title }}</p>
          }
          <ul [attr.aria-label]="group.title">
            @for (type of group.types; track keyOf(type)) {
              <li>
                <a
                  class="kind"
                  [class.unlisted]="rights.unlisted(type)"
                  [swLink]="pageOf(type)"
                  (followed)="followed.emit()"
                  [attr.aria-current]="isCurrent(type) ? 'page' : null"
                  [attr.cdkFocusInitial]="isCurrent(type) ? '' : null"
                >
                  <span class="cut" [title]="rights.unlisted(type) ?? titleOf(type)">{{
                    titleOf(type)
                  }}</span>
                  @if (rights.unlisted(type); as reason) {
                    <span class="sr-only">({{ reason }})</span>
                  }
                </a>
              </li>
            }
          </ul>
        }
      </details>
    }
  `,
  styles: `
    summary {
      padding-left: 4px;
    }
    ul {
      margin-bottom: var(--s-2);
    }
    p {
      padding: 4px 8px 0 16px;
    }
    a.kind {
      display: flex;
      align-items: center;
      min-height: 28px;
      padding: 0 8px 0 16px;
      border-radius: var(--r-sm);
      color: var(--text);
      font-size: var(--fs-sm);

      &:hover {
        background: var(--hover);
        text-decoration: none;
      }

      &:focus-visible {
        outline-offset: -2px;
      }

      &.unlisted {
        color: var(--text-3);
      }

      &[aria-current] {
        background: var(--selected);
        font-weight: var(--fw-medium);
      }
    }
    @media (pointer: coarse) {
      summary,
      a.kind {
        min-height: 40px;
      }
    }
  `,
})
export class KindList {
  readonly key = input.required<ClusterKey>();
  readonly groups = input.required<readonly KindGroup[]>();
  readonly current = input.required<TypeName>();
  /** Query parameters that the other tables keep. */
  readonly kept = input.required<Parameters<typeof tablePage>[2]>();

  readonly followed = output();
  protected readonly rights = rightsIn(() => ({
    key: this.key(),
    namespaces: parseNamespaces(this.kept()?.namespace ?? null) ?? [],
  }));

  protected readonly sections = computed(() => {
    const groups = this.groups();
    const custom = groups.filter(({ types }) => types.some((type) => type.custom));
    const has = (group: KindGroup): boolean => group.types.some((type) => this.isCurrent(type));
    const builtIn = groups
      .filter((group) => !custom.includes(group))
      .map((group) => ({
        title: group.title,
        groups: [group],
        open: group.title !== OTHER_KINDS || has(group),
      }));
    if (custom.length === 0) return builtIn;
    return [
      ...builtIn,
      { title: $localize`Custom resources`, groups: custom, open: custom.some((group) => has(group)) },
    ];
  });
  protected readonly keyOf = kindKey;
  protected readonly titleOf = kindTitle;

  constructor() {
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    afterRenderEffect(() => {
      this.sections();
      host.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    });
  }

  protected isCurrent(type: TypeName): boolean {
    return kindKey(type) === kindKey(this.current());
  }

  protected pageOf(type: ResourceTypeDto): string {
    return tablePage(this.key(), type, this.kept());
  }
}
