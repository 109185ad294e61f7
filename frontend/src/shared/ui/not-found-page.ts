import { Component, inject, input } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Placeholder } from './placeholder';

/** What stands at an address that no page has. Its route says where else to go. */
@Component({
  selector: 'sw-not-found-page',
  imports: [RouterLink, Placeholder],
  template: `
    <div class="page">
      <h1 class="sr-only">Not found</h1>
      <div class="panel">
        <sw-placeholder heading="There is no such page">
          <p>
            Nothing lives at <code>{{ path }}</code>.
          </p>
          <a action class="btn primary" [routerLink]="home()">{{ homeText() }}</a>
        </sw-placeholder>
      </div>
    </div>
  `,
})
export class NotFoundPage {
  readonly home = input.required<string>();
  readonly homeText = input.required<string>();
  protected readonly path = inject(Router).url.split('?')[0];
}
