import { Component, computed, inject, signal } from '@angular/core';
import { UI } from '../../../shared/ui/ui';
import { HIGHLIGHT_COLORS, type HighlightRule, HighlightRules, MAX_RULES } from './highlight-rules';

@Component({
  selector: 'sw-highlight-dialog',
  imports: [UI],
  template: `
    <div swDialog footless>
      <h2 id="dialog-title" i18n>Highlight rules</h2>
      <p class="muted sm" i18n>Lines that match get a color. The rules are kept in this browser.</p>
      <ul>
        @for (rule of rules(); track $index) {
          <li class="inline">
            <i [style.background]="'var(--src-' + rule.color + ')'"></i>
            <span class="mono sm anywhere">{{ rule.regex ? '/' + rule.text + '/' : rule.text }}</span>
            <button
              swIconButton="x"
              [size]="14"
              [label]="removeLabel(rule)"
              title=""
              class="end"
              (click)="remove(rule)"
            ></button>
          </li>
        }
      </ul>
      <form class="stack" (submit)="add($event)">
        <sw-field label="Text" i18n-label>
          <input
            #field
            data-first
            id="highlight-text"
            autocomplete="off"
            spellcheck="false"
            maxlength="200"
            [value]="text()"
            (input)="text.set(field.value)"
          />
        </sw-field>
        <label class="check">
          <input #box type="checkbox" [checked]="regex()" (change)="regex.set(box.checked)" />
          <ng-container i18n>Regular expression</ng-container>
        </label>
        <div class="inline" role="radiogroup" aria-label="Color" i18n-aria-label>
          @for (choice of colors; track choice) {
            <input
              type="radio"
              name="highlight-color"
              [attr.aria-label]="colorLabel(choice)"
              [style.accent-color]="'var(--src-' + choice + ')'"
              [style.outline-color]="'var(--src-' + choice + ')'"
              [checked]="choice === color()"
              (change)="color.set(choice)"
            />
            <i [style.background]="'var(--src-' + choice + ')'"></i>
          }
        </div>
        @if (problem(); as message) {
          <p class="error-text" role="alert">{{ message }}</p>
        }
        <div class="acts">
          <button type="submit" class="btn primary" [disabled]="isFull()" i18n>Add rule</button>
        </div>
      </form>
    </div>
  `,
  styles: `
    i {
      flex: none;
      width: 14px;
      height: 14px;
      border-radius: 3px;
    }
  `,
})
export class HighlightDialog {
  private readonly highlights = inject(HighlightRules);
  protected readonly rules = this.highlights.rules;
  protected readonly isFull = computed(() => this.rules().length >= MAX_RULES);
  protected readonly colors = HIGHLIGHT_COLORS;
  protected readonly text = signal('');
  protected readonly regex = signal(false);
  protected readonly color = signal<number>(HIGHLIGHT_COLORS[0]);
  protected readonly problem = signal<string | null>(null);

  protected add(event: Event): void {
    event.preventDefault();
    const text = this.text().trim();
    this.problem.set(problemOf(text, this.regex()));
    if (this.problem() !== null || this.isFull()) return;
    this.rules.update((rules) => [...rules, { text, regex: this.regex(), color: this.color() }]);
    this.text.set('');
  }

  protected remove(rule: HighlightRule): void {
    this.rules.update((rules) => rules.filter((other) => other !== rule));
  }

  protected removeLabel({ text }: HighlightRule): string {
    return $localize`Remove ${text}:rule:`;
  }

  protected colorLabel(color: number): string {
    return $localize`Color ${color}:number:`;
  }
}

function problemOf(text: string, isRegex: boolean): string | null {
  if (text === '') return $localize`Text is required.`;
  if (!isRegex) return null;
  try {
    // eslint-disable-next-line no-restricted-syntax -- Only compiled here.
    new RegExp(text, 'u');
    return null;
  } catch {
    return $localize`The regular expression is invalid.`;
  }
}
