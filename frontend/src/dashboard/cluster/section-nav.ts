import { afterRenderEffect, Component, input, signal } from '@angular/core';
import { RouterLink } from '@angular/router';

/** Heights of the header and of this navigation. To measure them while the page opens takes a layout of its own, 40 ms. */
const BARS_PX = 100;

export interface Section {
  /** Of the element, and of the link in the URL. */
  id: string;
  title: string;
}

/** Links to the sections of a long page. They stay in view and mark the section that is read. */
@Component({
  selector: 'sw-section-nav',
  imports: [RouterLink],
  template: `
    @for (section of sections(); track section.id) {
      <a
        [routerLink]="[]"
        [fragment]="section.id"
        queryParamsHandling="preserve"
        [replaceUrl]="true"
        [attr.aria-current]="section.id === current() ? 'location' : null"
        >{{ section.title }}</a
      >
    }
  `,
  styles: `
    :host {
      display: flex;
      gap: var(--s-5);
      position: sticky;
      top: var(--h-bar);
      z-index: 10;
      margin-top: var(--s-4);
      overflow-x: auto;
      scrollbar-width: none;
      background: var(--canvas);
      border-bottom: 1px solid var(--line);
      font-size: var(--fs-sm);
      white-space: nowrap;
    }
    a {
      padding: 10px 0 9px;
      border-bottom: 2px solid transparent;
      color: var(--text-2);
      font-weight: var(--fw-medium);
    }
    a:hover,
    a[aria-current] {
      border-bottom-color: var(--accent);
      color: var(--text);
      text-decoration: none;
    }
  `,
  host: { role: 'navigation', '[attr.aria-label]': 'label' },
})
export class SectionNav {
  readonly sections = input.required<readonly Section[]>();
  protected readonly label = $localize`Sections`;
  protected readonly current = signal('');

  constructor() {
    afterRenderEffect((onCleanup) => {
      const elements = this.sections().flatMap(({ id }) => document.getElementById(id) ?? []);
      const visible = new Set<Element>();
      const observer = new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) visible.add(target);
            else visible.delete(target);
          }
          this.current.set(elements.find((element) => visible.has(element))?.id ?? this.current());
        },
        // Sections below the fold are not read yet, and those behind the two bars no longer.
        { rootMargin: `-${BARS_PX}px 0px -55% 0px` },
      );
      for (const element of elements) observer.observe(element);
      onCleanup(() => observer.disconnect());
    });
  }
}
