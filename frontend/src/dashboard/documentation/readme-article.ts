import {
  afterRenderEffect,
  Component,
  ElementRef,
  inject,
  input,
  signal,
  ViewEncapsulation,
} from '@angular/core';
import { replaceByWords } from './readme';
import { copyText } from '../../shared/ui/copy-text';
import { Toaster } from '../../shared/ui/toaster';

const SHOWN_MS = 1600;

/** Rendered Markdown. Its elements carry no attributes of Angular's, so its styles are scoped by a class. */
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
    // A fragment is empty once it was put somewhere: a copy leaves the original to a later rendering.
    // Failed pictures do not bubble, but they can be caught on their way down.
    this.host.addEventListener('error', ({ target }) => this.missed(target), true);
    afterRenderEffect(() => this.host.replaceChildren(this.content().cloneNode(true)));
    afterRenderEffect((onCleanup) => {
      const button = this.copied();
      if (!button) return;
      button.textContent = 'Copied';
      const timer = setTimeout(() => this.copied.set(null), SHOWN_MS);
      onCleanup(() => {
        clearTimeout(timer);
        button.textContent = 'Copy';
      });
    });
  }

  private missed(target: EventTarget | null): void {
    if (target instanceof HTMLImageElement) replaceByWords(target, target.ownerDocument);
  }

  /** One listener for all the buttons that the code blocks got. */
  protected async clicked(event: Event): Promise<void> {
    const button = (event.target as Element).closest('.copy-code');
    const code = button?.parentElement?.querySelector('pre')?.textContent;
    if (!button || code === undefined) return;
    try {
      await copyText(code.trimEnd());
      this.copied.set(button);
    } catch (error) {
      this.toaster.problem(error, 'Not copied.');
    }
  }
}
