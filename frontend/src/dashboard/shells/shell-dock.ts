import {
  Component,
  computed,
  DestroyRef,
  DOCUMENT,
  effect,
  type ElementRef,
  inject,
  signal,
  viewChildren,
} from '@angular/core';
import { readStored, store } from '../../shared/browser/browser-storage';
import { Confirm } from '../../shared/ui/confirm';
import { UI } from '../../shared/ui/ui';
import { DebugShell } from './debug-shell';
import { placeOf, titleOf } from './shell-address';
import { type ShellKey, ShellTerminal } from './shell-terminal';
import { Shells, type ShellTab } from './shells';

const HEIGHT_KEY = 'slipway.shells-height';
const MIN_HEIGHT = 140;
const DEFAULT_HEIGHT = 320;
const KEY_STEP = 24;

/** The shells of the page in tabs at its bottom; on a phone, in place of it. */
@Component({
  selector: 'sw-shell-dock',
  imports: [ShellTerminal, UI],
  templateUrl: './shell-dock.html',
  styleUrl: './shell-dock.scss',
  host: {
    role: 'region',
    'aria-label': $localize`Shells`,
    '[class.minimized]': 'shells.minimized()',
    '[style.--height]': 'height() + "px"',
    '(window:resize)': 'setHeight(height())',
    '(window:beforeunload)': 'beforeUnload($event)',
  },
})
export class ShellDock {
  private readonly confirm = inject(Confirm);
  private readonly debugShell = inject(DebugShell);
  private readonly root = inject(DOCUMENT).documentElement;
  private readonly terminals = viewChildren(ShellTerminal);
  private readonly buttons = viewChildren<ElementRef<HTMLElement>>('button');
  protected readonly shells = inject(Shells);
  protected readonly screenReader = signal(false);
  protected readonly minHeight = MIN_HEIGHT;
  protected readonly height = signal(this.storedHeight());
  protected readonly titles = computed(
    () => new Map(this.shells.tabs().map((tab) => [tab.id, titleOf(tab.target)])),
  );

  constructor() {
    // The page ends above the dock.
    effect(() => {
      const height = this.shells.minimized() ? '2.5rem' : `${this.height()}px`;
      this.root.style.setProperty('--dock', height);
    });
    inject(DestroyRef).onDestroy(() => this.root.style.removeProperty('--dock'));
  }

  protected placeOf({ target }: ShellTab): string {
    return placeOf(target);
  }

  protected show(id: number): void {
    this.shells.shown.set(id);
    this.shells.minimized.set(false);
    this.terminalOf(id)?.focus();
  }

  protected press(key: ShellKey): void {
    if (key === 'leave') {
      const at = this.shells.tabs().findIndex(({ id }) => id === this.shells.shown());
      this.buttons()[at]?.nativeElement.focus();
    } else {
      this.shells.step(key === 'next' ? 1 : -1);
    }
  }

  protected find(): void {
    this.terminalOf(this.shells.shown())?.startFinding();
  }

  protected async closeAll(): Promise<void> {
    const count = this.shells.tabs().length;
    const confirmed =
      count === 1 ||
      (await this.confirm.ask({
        title: $localize`Close ${count}:count: shells?`,
        text: [$localize`Their programs end.`],
        action: $localize`Close`,
      }));
    if (confirmed) for (const { id } of this.shells.tabs()) this.shells.close(id);
  }

  protected async debug({ id, target }: ShellTab): Promise<void> {
    if (target.target === 'node') return;
    if (await this.debugShell.ask(target.key, target)) this.shells.close(id);
  }

  protected startDrag(event: PointerEvent): void {
    const grip = event.currentTarget as HTMLElement;
    grip.setPointerCapture(event.pointerId);
    const bottom = this.root.clientHeight;
    grip.onpointermove = ({ clientY }) => this.setHeight(bottom - clientY);
    grip.onlostpointercapture = () => {
      grip.onpointermove = null;
      store(HEIGHT_KEY, this.height());
    };
  }

  protected pressGrip(event: KeyboardEvent): void {
    const step = { ArrowUp: KEY_STEP, ArrowDown: -KEY_STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.setHeight(this.height() + step);
    store(HEIGHT_KEY, this.height());
  }

  protected setHeight(height: number): void {
    this.height.set(Math.round(Math.min(this.maxHeight(), Math.max(MIN_HEIGHT, height))));
  }

  protected maxHeight(): number {
    return Math.max(MIN_HEIGHT, this.root.clientHeight - 100);
  }

  /** Shells end with the page. */
  protected beforeUnload(event: BeforeUnloadEvent): void {
    if (this.terminals().some((terminal) => terminal.isOpen())) event.preventDefault();
  }

  private terminalOf(id: number): ShellTerminal | undefined {
    return this.terminals().find((terminal) => terminal.tab().id === id);
  }

  private storedHeight(): number {
    const stored = readStored(HEIGHT_KEY);
    const height = typeof stored === 'number' ? stored : DEFAULT_HEIGHT;
    return Math.min(this.maxHeight(), Math.max(MIN_HEIGHT, height));
  }
}
