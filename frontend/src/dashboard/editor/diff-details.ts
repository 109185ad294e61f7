import { Component, input } from '@angular/core';
import { ConfigDiff } from './config-diff';

/** A diff among others, rendered once it is open and in view. The title goes inside. */
@Component({
  selector: 'details[swDiffDetails]',
  imports: [ConfigDiff],
  template: `
    <summary><ng-content /></summary>
    @defer (on viewport) {
      <sw-config-diff
        class="code-box diff"
        [label]="swDiffDetails()"
        [before]="before() ?? ''"
        [after]="after()"
      />
    } @placeholder {
      <div class="code-box diff"></div>
    }
  `,
  host: { class: 'disclosure' },
})
export class DiffDetails {
  /** Label of the diff. */
  readonly swDiffDetails = input.required<string>();
  readonly before = input.required<string | null>();
  readonly after = input.required<string>();
}
