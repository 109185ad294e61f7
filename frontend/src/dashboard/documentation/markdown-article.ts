import {
  afterRenderEffect,
  Component,
  ElementRef,
  inject,
  input,
  signal,
  ViewEncapsulation,
} from '@angular/core';
import { Router } from '@angular/router';
import { replaceByDescription } from './markdown';
import { served, unserved } from '../../shared/api/base-path';
import { afterLayout } from '../../shared/ui/after-layout';
import { copyText } from '../../shared/ui/copy-text';
import { Toaster } from '../../shared/ui/toaster';

const SHOWN_MS = 1600;

/** Rendered Markdown. Its elements lack Angular's scope attributes, so a class scopes the styles. */
@Component({
  selector: 'sw-markdown-article',
  template: '',
  styleUrl: './markdown-article.scss',
  encapsulation: ViewEncapsulation.None,
  host: { class: 'prose', role: 'article', '(click)': 'clicked($event)' },
})
export class MarkdownArticle {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly router = inject(Router);
  private readonly toaster = inject(Toaster);
  readonly content = input.required<DocumentFragment>();
  /** Id of the heading to jump to; null for the beginning; undefined to stay. */
  readonly heading = input<string | null>();
  private readonly copied = signal<Element | null>(null);

  constructor() {
    // Error events of images do not bubble, but they can be captured.
    this.host.addEventListener('error', ({ target }) => this.replaceImage(target), true);
    // Inserting a fragment empties it: the copy keeps it for the next rendering.
    afterRenderEffect(() => this.host.replaceChildren(this.content().cloneNode(true)));
    // After the content, which it depends on.
    afterRenderEffect((onCleanup) => {
      this.content();
      const heading = this.heading();
      onCleanup(afterLayout(() => this.jump(heading)));
    });
    afterRenderEffect((onCleanup) => {
      const button = this.copied();
      if (!button) return;
      button.textContent = $localize`Copied`;
      const timer = setTimeout(() => this.copied.set(null), SHOWN_MS);
      onCleanup(() => {
        clearTimeout(timer);
        button.textContent = $localize`Copy`;
      });
    });
  }

  private replaceImage(target: EventTarget | null): void {
    if (target instanceof HTMLImageElement) replaceByDescription(target, target.ownerDocument);
  }

  /** One listener for all links and Copy buttons. */
  protected async clicked(event: MouseEvent): Promise<void> {
    this.follow(event);
    const button = (event.target as Element).closest('.copy-code');
    const code = button?.parentElement?.querySelector('pre')?.textContent;
    if (!button || code === undefined) return;
    await this.toaster.attempt($localize`Could not copy`, async () => {
      await copyText(code.trimEnd());
      this.copied.set(button);
    });
  }

  private jump(id: string | null | undefined): void {
    if (id === undefined) return;
    if (id === null) {
      this.host.ownerDocument.defaultView?.scrollTo({ top: 0 });
      return;
    }
    const heading = this.host.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }

  /** Opens links to pages of the documentation without reloading the application. */
  private follow(event: MouseEvent): void {
    const link = (event.target as Element).closest(`a[href^="${served('/documentation')}"]`);
    const url = link?.getAttribute('href');
    if (!url || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void this.router.navigateByUrl(unserved(url));
  }
}
