import { Component, inject } from '@angular/core';
import { Router, RouterLink } from '@angular/router';
import { Placeholder } from '../../shared/ui/placeholder';

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
          <a action class="btn primary" routerLink="/clusters">To the clusters</a>
        </sw-placeholder>
      </div>
    </div>
  `,
})
export class NotFoundPage {
  protected readonly path = inject(Router).url.split('?')[0];
}
