import { Component, computed, input } from '@angular/core';
import type { ClusterKey } from '../../../shared/api/api';
import { apiResource, TYPING_PAUSE_MS } from '../../../shared/loading/api-resource';
import { UI } from '../../../shared/ui/ui';
import { objectPage } from '../../resource-model/resource-address';
import { unsearchedNotes } from '../../resource-model/unsearched-notes';

const MOST = 100;

@Component({
  selector: 'sw-name-finder',
  imports: [UI],
  template: `
    @if (search.problem(); as failure) {
      <sw-placeholder heading="Could not search" i18n-heading>{{ failure.message }}</sw-placeholder>
    } @else if (groups(); as groups) {
      <p i18n class="sr-only" role="status">{{ search.value()?.results?.length }} found</p>
      @if (groups.length > 0) {
        <div class="groups">
          @for (group of groups; track group.kind) {
            <h3 class="muted xs">{{ group.kind }} {{ group.found.length }}</h3>
            <ul>
              @for (each of group.found; track each.namespace + '/' + each.name) {
                <li>
                  <a class="row-link" [swLink]="objectPage(key(), each)">
                    <span class="mono cut">{{ each.name | swRaw }}</span>
                    <span class="muted cut">{{ each.namespace | swRaw }}</span>
                  </a>
                </li>
              }
            </ul>
          }
        </div>
      } @else {
        <sw-placeholder heading="No matches" i18n-heading>
          <ng-container i18n>No object in any namespace has “{{ text() }}” in its name.</ng-container>
        </sw-placeholder>
      }
      @for (note of notes(); track note) {
        <p class="panel-note">{{ note }}</p>
      }
    }
  `,
  styles: `
    :host {
      min-height: 120px;
    }
    .groups {
      columns: 20rem 3;
      column-gap: 0;
    }
    h3 {
      break-after: avoid-column;
      padding: 8px 16px 2px;
    }
    li {
      break-inside: avoid-column;
    }
    .row-link {
      grid-template-columns: minmax(0, max-content) minmax(0, 1fr);
      min-height: 30px;
    }
  `,
  host: { class: 'panel' },
})
export class NameFinder {
  readonly key = input.required<ClusterKey>();
  readonly text = input.required<string>();
  protected readonly search = apiResource(
    '/api/v1/search',
    () => ({ q: this.text(), limit: MOST, cluster: this.key().name, runtime: this.key().runtime }),
    { delayMs: TYPING_PAUSE_MS },
  );
  protected readonly notes = computed(() => {
    const response = this.search.value();
    return response ? unsearchedNotes(response) : [];
  });
  protected readonly groups = computed(() => {
    const response = this.search.value();
    if (!response) return undefined;
    const groups = Map.groupBy(response.results, ({ kind }) => kind);
    return [...groups].map(([kind, each]) => ({ kind, found: each }));
  });
  protected readonly objectPage = objectPage;
}
