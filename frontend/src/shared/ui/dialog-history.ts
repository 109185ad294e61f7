import type { DialogRef } from '@angular/cdk/dialog';
import { type LocationChangeListener, PathLocationStrategy } from '@angular/common';
import { DOCUMENT, inject, Injectable, Injector, Service } from '@angular/core';
import { Router } from '@angular/router';
import { firstValueFrom } from 'rxjs';

type Closable = Pick<DialogRef, 'disableClose' | 'componentRef'> & { close: () => void };

/** Each open dialog has an entry in the history of the browser: Back closes the dialog and stays on the page. */
@Service()
export class DialogHistory {
  private readonly injector = inject(Injector);
  private readonly history = (inject(DOCUMENT).defaultView as Window).history;
  private open: Closable[] = [];
  private leaving: Promise<void> | undefined;
  private left: (() => void) | undefined;

  /** Adds an entry. @returns once the dialog has closed and its entry was left */
  async follow<TResult>(dialog: DialogRef<TResult>): Promise<void> {
    this.open.push(dialog);
    this.history.pushState({ ...this.history.state, dialogs: this.open.length }, '');
    await firstValueFrom(dialog.closed, { defaultValue: undefined });
    this.open = this.open.filter((other) => other !== dialog);
    // A link that closes its dialog starts its navigation in the same turn.
    await new Promise((resolve) => setTimeout(resolve));
    await this.leave();
  }

  /** Leaves the entries of closed dialogs, unless the page is being left anyway. */
  async leave(): Promise<void> {
    const isLeft = this.depth() <= this.open.length || this.injector.get(Router).currentNavigation() !== null;
    if (this.leaving === undefined && !isLeft) {
      this.leaving = new Promise((resolve) => (this.left = resolve));
      this.history.back();
    }
    await this.leaving;
  }

  /** Closes the dialogs that were not open at the current entry. @returns whether dialogs caused the change */
  arrive(): boolean {
    const isOfDialogs = this.leaving !== undefined || this.open.length > 0;
    for (const dialog of this.open.splice(this.depth()).reverse()) close(dialog);
    if (this.depth() > this.open.length) {
      // The dialog of this entry closed when a link in it was followed, or when the page was reloaded.
      this.history.back();
    } else {
      this.left?.();
      this.left = this.leaving = undefined;
    }
    return isOfDialogs;
  }

  /** How many dialogs were open at the current entry. */
  private depth(): number {
    const state = this.history.state as { dialogs?: number } | null;
    return state?.dialogs ?? 0;
  }
}

/**
 * Keeps changes between entries of dialogs from the router, which would scroll to the top, and from the overlays,
 * which would all close.
 */
@Injectable()
export class PageLocation extends PathLocationStrategy {
  private readonly dialogs = inject(DialogHistory);
  private page = '';

  override pushState(...args: Parameters<PathLocationStrategy['pushState']>): void {
    super.pushState(...args);
    this.page = this.path();
  }

  override replaceState(...args: Parameters<PathLocationStrategy['replaceState']>): void {
    super.replaceState(...args);
    this.page = this.path();
  }

  override onPopState(listener: LocationChangeListener): void {
    super.onPopState((event) => {
      const isSamePage = this.path() === this.page;
      this.page = this.path();
      if (!this.dialogs.arrive() || !isSamePage) listener(event);
    });
  }
}

function close(dialog: Closable): void {
  if (!dialog.disableClose) dialog.close();
  // Such dialogs decide about Esc themselves.
  else (dialog.componentRef?.location.nativeElement as HTMLElement | undefined)?.dispatchEvent(escape());
}

function escape(): KeyboardEvent {
  return new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
}
