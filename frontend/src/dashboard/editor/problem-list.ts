import { Component, computed, input, output } from '@angular/core';
import type { ConfigProblemDto } from '../../shared/api/api-types';
import { PlainButton } from '../../shared/ui/plain-button';

/** The problems of a text below its editor. */
@Component({
  selector: 'sw-problem-list',
  imports: [PlainButton],
  template: `
    @if (problems().length > 0) {
      <ol class="item-list" aria-label="Problems" i18n-aria-label>
        @for (problem of inOrder(); track $index) {
          <li>
            <button class="row-link" (click)="chosen.emit(problem)">
              <span i18n class="muted">Line {{ problem.line }}, column {{ problem.column }}</span>
              <span class="anywhere">
                @if (problem.path) {
                  <code>{{ problem.path }}</code>
                }
                {{ problem.problem }}
              </span>
            </button>
          </li>
        }
      </ol>
    }
  `,
  styles: `
    ol {
      max-height: 220px;
      overflow: auto;
      border-top: 1px solid var(--line);
    }
    .row-link {
      grid-template-columns: 10rem minmax(0, 1fr);
    }
    @media (width <= 720px) {
      .row-link {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `,
})
export class ProblemList {
  readonly problems = input.required<readonly ConfigProblemDto[]>();
  protected readonly inOrder = computed(() =>
    this.problems().toSorted((one, other) => one.line - other.line || one.column - other.column),
  );
  readonly chosen = output<ConfigProblemDto>();
}
