import { Component, computed, inject, input, signal } from '@angular/core';
import type { ClusterDto } from '../../shared/api/api-types';
import { ProblemsStore } from '../../shared/live/problems-store';
import { UI } from '../../shared/ui/ui';
import { EvidenceList } from '../resource-model/evidence-list';
import { problemId, problemPage } from '../resource-model/problem-labels';
import { ProblemFixes } from '../resources/problem-fixes';

/** More are shown on demand, so that the nodes stay in view. */
const MOST = 5;

/** The problems of a cluster: one line each, which opens to evidence and next step. Empty if all is well. */
@Component({
  selector: 'sw-cluster-problems',
  imports: [EvidenceList, ProblemFixes, UI],
  template: `
    @if (count(); as count) {
      <section class="panel" aria-labelledby="problems-title">
        <div class="panel-head">
          <h2 i18n id="problems-title">What is wrong</h2>
          <span class="n">{{ count }}</span>
        </div>
        <ul class="item-list">
          @for (problem of shown(); track id(problem)) {
            <li>
              <sw-state [state]="problem.health === 'failed' ? 'failed' : 'warning'" />
              <p class="name">
                <a class="medium anywhere" [swLink]="page(problem)">{{ problem.name | swRaw }}</a>
                <span class="muted xs">
                  @if (problem.namespace; as namespace) {
                    <ng-container i18n>{{ problem.kind }} in {{ namespace | swRaw }}</ng-container>
                  } @else {
                    {{ problem.kind }}
                  }
                </span>
              </p>
              <details class="disclosure" (toggle)="keepOpen($event, id(problem))">
                <summary>
                  <span class="fill anywhere">{{ problem.message }}</span>
                  <sw-ago class="muted xs" [time]="problem.since" />
                </summary>
                <p>{{ problem.next_step }}</p>
                @if (opened().has(id(problem))) {
                  <sw-problem-fixes [problem]="problem" />
                }
                <sw-evidence-list [of]="problem.evidence" />
              </details>
            </li>
          } @empty {
            @if (store.live.problem()) {
              <li class="full"><sw-load-notice [of]="store.live" /></li>
            } @else {
              <!-- As high as the lines to come, so that nothing moves. -->
              @for (line of awaited(); track $index) {
                <li class="full" aria-hidden="true">&nbsp;</li>
              }
            }
          }
        </ul>
        @if (count > most) {
          <div class="panel-foot">
            <button class="link" (click)="all.set(!all())">
              @if (all()) {
                <ng-container i18n>Show fewer</ng-container>
              } @else {
                <ng-container i18n>Show all {{ count }}</ng-container>
              }
            </button>
          </div>
        }
      </section>
    }
  `,
  styles: `
    .panel {
      margin-top: var(--s-5);
    }
    .item-list > li {
      display: grid;
      grid-template-columns: 16px minmax(9rem, 15rem) minmax(0, 1fr);
      gap: 0 12px;
      align-items: start;
      min-height: 40px;
      padding: 8px 16px;
      font-size: var(--fs-sm);
    }
    .item-list > .full {
      grid-template-columns: minmax(0, 1fr);
    }
    .name {
      display: flex;
      flex-wrap: wrap;
      align-items: baseline;
      gap: 0 6px;
    }
    .name a {
      display: inline-block;
      min-width: 24px;
      line-height: 24px;
    }
    sw-state {
      margin-top: 4px;
    }
    summary {
      width: auto;
      align-items: baseline;
      color: var(--text);
    }
    details > :is(p, sw-problem-fixes, sw-evidence-list) {
      display: block;
      margin: 6px 0 0 12px;
    }
    @media (width <= 720px) {
      .item-list > li:not(.full) {
        grid-template-columns: 16px minmax(0, 1fr);
      }
      .item-list > .full {
        min-height: 88px;
      }
      details {
        grid-column: 2;
      }
    }
  `,
})
export class ClusterProblems {
  protected readonly store = inject(ProblemsStore);
  readonly cluster = input.required<ClusterDto>();
  protected readonly id = problemId;
  protected readonly page = problemPage;
  protected readonly most = MOST;
  protected readonly all = signal(false);
  /** Only their fixes are read. */
  protected readonly opened = signal<ReadonlySet<string>>(new Set());
  private readonly problems = computed(() =>
    this.cluster().problems === null ? [] : this.store.of(this.cluster()),
  );
  /** The record of the cluster knows it before the list is loaded. */
  protected readonly count = computed(() => this.problems()?.length ?? this.cluster().problems ?? 0);
  protected readonly shown = computed(() => (this.problems() ?? []).slice(0, this.all() ? undefined : MOST));
  protected readonly awaited = computed(() => Array.from({ length: Math.min(this.count(), MOST) }));

  constructor() {
    this.store.live.watch();
  }

  protected keepOpen(event: ToggleEvent, id: string): void {
    this.opened.update((before) => {
      const after = new Set(before);
      if (event.newState === 'open') after.add(id);
      else after.delete(id);
      return after;
    });
  }
}
