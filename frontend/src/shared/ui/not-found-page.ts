import { Component, inject, input } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Placeholder } from './placeholder';

/** The page of an unknown address. Its route names the home page. */
@Component({
  selector: 'sw-not-found-page',
  imports: [RouterLink, Placeholder],
  template: `
    <div class="page">
      <h1 class="sr-only" i18n>Not found</h1>
      <div class="panel">
        <sw-placeholder heading="Page not found" i18n-heading>
          <p i18n>
            There is no page at <code>{{ path }}</code>.
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
