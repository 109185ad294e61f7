import { computed, Directive, inject, input, output } from '@angular/core';
import { Router } from '@angular/router';
import { served } from '../api/base-path';

@Directive({
  selector: 'a[swLink]',
  host: { '[attr.href]': 'href()', '(click)': 'open($event)' },
})
export class PageLink {
  private readonly router = inject(Router);
  readonly swLink = input.required<string>();
  protected readonly href = computed(() => served(this.swLink()));
  /** The page leads to the URL, without a new tab. */
  readonly followed = output();

  protected open(event: MouseEvent): void {
    // The browser opens a new tab or window.
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.followed.emit();
    void this.router.navigateByUrl(this.swLink());
  }
}
