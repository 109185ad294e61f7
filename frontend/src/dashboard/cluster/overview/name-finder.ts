import { Component, computed, effect, inject, input, signal } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterKey } from '../../../shared/api/api';
import { ApiProblem } from '../../../shared/api/api-problem';
import type { SearchResultDto } from '../../../shared/api/api-types';
import { Placeholder } from '../../../shared/ui/placeholder';
import { objectPage, type PageAddress } from '../../resources/resource-address';
import { unsearchedNotes } from '../../palette/unsearched-notes';
import { ResourcesApi } from '../../resources/resources-api';

const MOST = 100;
/** A pause in typing after which the clusters are asked. */
const ASK_AFTER_MS = 200;

/** All objects of a cluster whose name holds a text, whatever their kind. */
@Component({
  selector: 'sw-name-finder',
  imports: [Placeholder, RouterLink],
  template: `
    <p class="sr-only" role="status">{{ said() }}</p>
    @if (problem(); as failure) {
      <sw-placeholder heading="Names cannot be searched now">{{ failure.message }}</sw-placeholder>
    } @else if (groups(); as groups) {
      @if (groups.length > 0) {
        <div class="found">
          @for (group of groups; track group.kind) {
            <section>
              <h3>
                {{ group.kind }} <span class="muted">{{ group.found.length }}</span>
              </h3>
              <ul>
                @for (each of group.found; track each.namespace + '/' + each.name) {
                  <li>
                    <a [routerLink]="pageOf(each).path" [queryParams]="pageOf(each).query">
                      <span class="mono cut">{{ each.name }}</span>
                      <span class="muted cut">{{ each.namespace }}</span>
                    </a>
                  </li>
                }
              </ul>
            </section>
          }
        </div>
      } @else {
        <sw-placeholder [heading]="'Nothing here is called ' + text()"
          >Names of all kinds were searched, in all namespaces.</sw-placeholder
        >
      }
      @for (note of notes(); track note) {
        <p class="muted more">{{ note }}</p>
      }
    }
  `,
  styles: `
    :host {
      display: block;
      padding: 4px 0 8px;
      min-height: 120px;
    }
    .found {
      columns: 20rem 3;
      column-gap: 0;
    }
    h3,
    li {
      break-inside: avoid-column;
    }
    h3 {
      break-after: avoid-column;
      padding: 8px 16px 2px;
      font-size: var(--fs-xs);
      color: var(--text-3);
      font-weight: var(--fw-medium);
    }
    a {
      display: grid;
      grid-template-columns: minmax(0, max-content) minmax(0, 1fr);
      gap: 10px;
      align-items: center;
      min-height: 30px;
      padding: 0 16px;
      color: var(--text);
      font-size: var(--fs-sm);
    }
    a:hover {
      background: var(--hover);
      text-decoration: none;
    }
    a:focus-visible {
      outline-offset: -2px;
    }
    .more {
      padding: 8px 16px;
      font-size: var(--fs-sm);
    }
  `,
  host: { class: 'panel' },
})
export class NameFinder {
  private readonly api = inject(ResourcesApi);
  readonly key = input.required<ClusterKey>();
  readonly text = input.required<string>();
  private readonly found = signal<readonly SearchResultDto[] | undefined>(undefined);
  protected readonly notes = signal<readonly string[]>([]);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly groups = computed(() => {
    const found = this.found();
    if (!found) return undefined;
    const groups = new Map<string, SearchResultDto[]>();
    for (const each of found) groups.set(each.kind, [...(groups.get(each.kind) ?? []), each]);
    return [...groups].map(([kind, each]) => ({ kind, found: each }));
  });
  protected readonly said = computed(() => {
    const found = this.found();
    return found ? `${found.length} found` : '';
  });

  constructor() {
    effect((onCleanup) => {
      const [key, text] = [this.key(), this.text()];
      const timer = setTimeout(() => void this.find(key, text), ASK_AFTER_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected pageOf(found: SearchResultDto): PageAddress {
    return objectPage(this.key(), found);
  }

  private async find(key: ClusterKey, text: string): Promise<void> {
    try {
      const answer = await this.api.find(text, MOST, key);
      if (text !== this.text()) return;
      this.problem.set(null);
      this.notes.set(unsearchedNotes(answer));
      this.found.set(answer.results);
    } catch (error) {
      if (text === this.text()) this.problem.set(ApiProblem.of(error));
    }
  }
}
