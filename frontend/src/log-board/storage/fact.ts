import { Component, input } from '@angular/core';

/** One of `dl.facts`, with its title. */
@Component({
  selector: 'div[swFact]',
  template: `
    <dt>{{ swFact() }}</dt>
    <dd><ng-content /></dd>
  `,
})
export class Fact {
  readonly swFact = input.required<string>();
}
