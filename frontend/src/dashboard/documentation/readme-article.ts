import {
  afterRenderEffect,
  Component,
  ElementRef,
  inject,
  input,
  signal,
  ViewEncapsulation,
} from '@angular/core';
import { replaceByDescription } from './readme';
import { copyText } from '../../shared/ui/copy-text';
import { Toaster } from '../../shared/ui/toaster';

const SHOWN_MS = 1600;

/** Rendered Markdown. Its elements lack Angular's scope attributes, so a class scopes the styles. */
@Component({
  selector: 'sw-readme-article',
  template: '',
  styleUrl: './readme-article.scss',
  encapsulation: ViewEncapsulation.None,
  host: { class: 'prose', role: 'article', '(click)': 'clicked($event)' },
})
export class ReadmeArticle {
  private readonly host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly toaster = inject(Toaster);
  readonly content = input.required<DocumentFragment>();
  private readonly copied = signal<Element | null>(null);

  constructor() {
    // Error events of images do not bubble, but they can be captured.
    this.host.addEventListener('error', ({ target }) => this.replaceImage(target), true);
    // Inserting a fragment empties it: the copy keeps it for the next rendering.
    afterRenderEffect(() => this.host.replaceChildren(this.content().cloneNode(true)));
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

  /** One listener for the Copy buttons of all code blocks. */
  protected async clicked(event: Event): Promise<void> {
    const button = (event.target as Element).closest('.copy-code');
    const code = button?.parentElement?.querySelector('pre')?.textContent;
    if (!button || code === undefined) return;
    try {
      await copyText(code.trimEnd());
      this.copied.set(button);
    } catch (error) {
      this.toaster.problem(error, $localize`Could not copy.`);
    }
  }
}
