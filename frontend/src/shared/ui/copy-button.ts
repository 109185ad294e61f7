import { Component, inject, input, signal } from '@angular/core';
import { copyText } from './copy-text';
import { Toaster } from './toaster';
import { Icon } from './icon';

const SHOWN_MS = 1600;

/** Copies a text, or what a function brings, to the clipboard, and shows that it did. */
@Component({
  selector: 'sw-copy-button',
  imports: [Icon],
  template: `
    <button
      type="button"
      class="btn small"
      [class.icon]="!label()"
      [class.quiet]="!label()"
      [attr.aria-label]="label() ? null : name()"
      [title]="name()"
      (click)="copy()"
    >
      <sw-icon [name]="copied() ? 'check' : 'copy'" />
      @if (label()) {
        <span>{{ copied() ? 'Copied' : label() }}</span>
      }
    </button>
    <span class="sr-only" role="status">{{ copied() ? 'Copied' : '' }}</span>
  `,
  styles: `
    :host {
      display: inline-flex;
    }
  `,
})
export class CopyButton {
  private readonly toaster = inject(Toaster);
  readonly text = input.required<string | (() => Promise<string>)>();
  /** What it does, in words: the tooltip and the spoken name. */
  readonly name = input.required<string>();
  /** Words on the button; without them it is an icon. */
  readonly label = input('');
  protected readonly copied = signal(false);

  protected async copy(): Promise<void> {
    const source = this.text();
    try {
      await copyText(typeof source === 'string' ? source : await source());
    } catch (error) {
      this.toaster.problem(error, 'Not copied');
      return;
    }
    this.copied.set(true);
    setTimeout(() => this.copied.set(false), SHOWN_MS);
  }
}
