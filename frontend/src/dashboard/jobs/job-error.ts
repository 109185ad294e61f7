import { Component, computed, input } from '@angular/core';
import type { JobDto } from '../../shared/api/api-types';
import { CopyButton } from '../../shared/ui/copy-button';
import { unfoldCommand } from './job-list';

@Component({
  selector: 'sw-job-error',
  imports: [CopyButton],
  template: `
    <div class="copied">
      <p class="error-text">{{ job().message }}</p>
      <sw-copy-button [text]="text()" name="Copy error" i18n-name />
    </div>
    @if (job().error?.command; as command) {
      <h3 class="xs soft medium" i18n>Failed command</h3>
      <div class="copied">
        <pre tabindex="0" role="group" aria-label="Failed command" i18n-aria-label>{{ unfold(command) }}</pre>
        <sw-copy-button [text]="command" name="Copy command" i18n-name />
      </div>
    }
    @if (job().error?.output; as output) {
      <details class="disclosure" [open]="expanded()">
        <summary i18n>End of the output</summary>
        <pre tabindex="0" role="group" aria-label="End of the output" i18n-aria-label>{{ output }}</pre>
      </details>
    }
  `,
  styles: `
    :host {
      display: grid;
      gap: 6px;
      padding: 12px 16px 14px;
      background: var(--failed-tint);
      font-size: var(--fs-sm);
      overflow-wrap: anywhere;
    }
    p {
      white-space: pre-line;
    }
    .copied {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      gap: 4px;
      align-items: start;
    }
    pre {
      max-height: 18rem;
      padding: 8px 10px;
      background: var(--surface);
      white-space: pre-wrap;
      overflow-wrap: anywhere;
    }
  `,
  host: { role: 'group', '[attr.aria-label]': 'label' },
})
export class JobError {
  readonly job = input.required<JobDto>();
  readonly expanded = input(false);
  protected readonly label = $localize`Error`;
  protected readonly text = computed(() => {
    const { message, error } = this.job();
    return [message, error?.command, error?.output].filter(Boolean).join('\n\n');
  });
  protected readonly unfold = unfoldCommand;
}
