import { Component, inject, input, signal } from '@angular/core';
import { rawText } from '../format/raw-text';
import { copyText } from './copy-text';
import { Toaster } from './toaster';
import { Icon } from './icon';
import { PlainButton } from './plain-button';

const SHOWN_MS = 1600;

/** Copies a text, or the result of a function, to the clipboard. */
@Component({
  selector: 'sw-copy-button',
  imports: [Icon, PlainButton],
  template: `
    <button
      class="btn small"
      [class.icon]="!label()"
      [class.quiet]="!label()"
      [attr.aria-label]="label() ? null : name()"
      [title]="name()"
      (click)="copy()"
    >
      <sw-icon [name]="copied() ? 'check' : 'copy'" />
      @if (label()) {
        <span>{{ copied() ? done : label() }}</span>
      }
    </button>
    <span class="sr-only" role="status">{{ copied() ? done : '' }}</span>
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
  /** The action: tooltip and accessible name. */
  readonly name = input.required({ transform: rawText });
  /** Text of the button; only an icon without it. */
  readonly label = input('');
  protected readonly copied = signal(false);
  protected readonly done = $localize`Copied`;

  protected async copy(): Promise<void> {
    const source = this.text();
    await this.toaster.attempt($localize`Could not copy`, async () => {
      await copyText(typeof source === 'string' ? source : await source());
      this.copied.set(true);
      setTimeout(() => this.copied.set(false), SHOWN_MS);
    });
  }
}
