import { Component, inject, Service, signal } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { rawMessage, rawText } from '../format/raw-text';
import { Icon } from './icon';
import { PlainButton } from './plain-button';

export interface ToastAction {
  text: string;
  run: () => void;
}

export interface Toast {
  id: number;
  tone: 'done' | 'failed';
  title: string;
  text: string;
  action: ToastAction | null;
}

const DONE_SHOWN_MS = 5000;
const MOST = 3;

/** Short messages about results, with hidden characters escaped. A failure stays until it is closed. */
@Service()
export class Toaster {
  private readonly shown = signal<readonly Toast[]>([]);
  readonly toasts = this.shown.asReadonly();
  private last = 0;

  done(title: string, text = ''): void {
    const id = this.add({ tone: 'done', title, text, action: null });
    setTimeout(() => this.close(id), DONE_SHOWN_MS);
  }

  problem(thrown: unknown, title: string, action: ToastAction | null = null): void {
    this.failed(title, ApiProblem.of(thrown).message, action);
  }

  /** Shows why the work failed. @param remedyOf what helps. @returns whether it succeeded */
  async attempt(
    failure: string,
    work: () => Promise<unknown>,
    remedyOf?: (thrown: unknown) => ToastAction | null,
  ): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.problem(error, failure, remedyOf?.(error));
      return false;
    }
  }

  failed(title: string, text: string, action: ToastAction | null = null): void {
    this.add({ tone: 'failed', title, text, action });
  }

  close(id: number): void {
    this.shown.update((toasts) => toasts.filter((toast) => toast.id !== id));
  }

  private add({ title, text, ...toast }: Omit<Toast, 'id'>): number {
    this.last += 1;
    const { last: id } = this;
    const shown = { id, ...toast, title: rawText(title), text: rawMessage(text) };
    this.shown.update((toasts) => [...toasts, shown].slice(-MOST));
    return id;
  }
}

@Component({
  selector: 'sw-toast-outlet',
  imports: [Icon, PlainButton],
  template: `
    @for (toast of toaster.toasts(); track toast.id) {
      <div class="toast" [class.failed]="toast.tone === 'failed'">
        <sw-icon [name]="toast.tone === 'failed' ? 'warning' : 'check'" />
        <p>
          <b>{{ toast.title }}</b> {{ toast.text }}
          @if (toast.action; as action) {
            <button class="act" (click)="toaster.close(toast.id); action.run()">
              {{ action.text }}
            </button>
          }
        </p>
        <button aria-label="Close message" i18n-aria-label (click)="toaster.close(toast.id)">
          <sw-icon name="x" />
        </button>
      </div>
    }
  `,
  styles: `
    :host {
      position: fixed;
      z-index: 1100;
      left: 50%;
      bottom: calc(20px + var(--dock, 0px));
      transform: translateX(-50%);
      display: grid;
      gap: var(--s-2);
      width: min(560px, calc(100vw - 32px));
      pointer-events: none;
    }
    .toast {
      pointer-events: auto;
      display: grid;
      grid-template-columns: 16px 1fr auto;
      gap: 12px;
      align-items: center;
      padding: 11px 10px 11px 14px;
      border-radius: var(--r-lg);
      background: var(--inverse);
      color: var(--on-inverse);
      font-size: var(--fs-sm);
      box-shadow: var(--shadow-menu);
    }
    p {
      padding-block: 2px;
      overflow-wrap: anywhere;
      max-height: 40vh;
      overflow: auto;
    }
    .failed > sw-icon {
      color: light-dark(#ff9f97, #aa1f1f);
    }
    .act {
      display: block;
      margin-top: 2px;
      padding-inline: 0;
      font-weight: var(--fw-medium);
      text-decoration: underline;
      text-underline-offset: 2px;
    }
    .toast > button {
      display: grid;
      place-items: center;
    }
    button {
      border: 0;
      background: none;
      padding: 2px 4px;
      color: inherit;
      min-width: 24px;
      min-height: 24px;
    }
  `,
  host: { 'aria-live': 'polite', role: 'log', '[attr.aria-label]': 'label' },
})
export class ToastOutlet {
  protected readonly toaster = inject(Toaster);
  protected readonly label = $localize`Messages`;
}
