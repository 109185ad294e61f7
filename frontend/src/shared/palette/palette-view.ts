import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import {
  ApplicationRef,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  input,
  model,
  signal,
  viewChild,
} from '@angular/core';
import { UI } from '../ui/ui';
import type { KeyBuffer } from './key-buffer';
import type { EntryGroup, PaletteEntry } from './palette-entry';
import { rankEntries } from './rank-entries';
import { plural } from '../format/format';

/** The field and the results of a palette. Focus stays in the field; arrow keys select. */
@Component({
  selector: 'sw-palette-view',
  imports: [UI],
  templateUrl: './palette-view.html',
  styleUrl: './palette-view.scss',
})
export class PaletteView {
  protected readonly dialog = inject<DialogRef<PaletteEntry>>(DialogRef);
  private readonly application = inject(ApplicationRef);
  private typed: KeyBuffer | null = inject<KeyBuffer>(DIALOG_DATA);
  private readonly list = viewChild.required<ElementRef<HTMLElement>>('list');

  readonly entries = input.required<readonly PaletteEntry[]>();
  readonly titles = input.required<Readonly<Partial<Record<EntryGroup, string>>>>();
  readonly query = model.required<string>();
  /** Shown in the empty field. */
  readonly prompt = input.required<string>();
  /** Text while the server searches; empty otherwise. */
  readonly busy = input('');
  /** Why results may be missing. */
  readonly notes = input<readonly string[]>([]);

  protected readonly groups = computed(() => rankEntries(this.entries(), this.query()));
  private readonly flat = computed(() => this.groups().flatMap(({ entries }) => entries));
  /** The selected entry; by default, and if it has gone, the first one. */
  protected readonly chosen = signal<string | null>(null);
  protected readonly active = computed(
    () => this.flat().find(({ entry }) => entry.id === this.chosen()) ?? this.flat()[0],
  );
  protected readonly spoken = computed(() =>
    this.query().trim() === '' || this.busy() !== ''
      ? ''
      : plural(this.flat().length, (n) => ({
          one: $localize`${n}:count: result`,
          other: $localize`${n}:count: results`,
        })),
  );

  constructor() {
    effect(() => {
      const { chosen } = this;
      if (chosen() === null) this.list().nativeElement.scrollTop = 0;
    });
  }

  protected optionId({ id }: PaletteEntry): string {
    return `palette-${id.replaceAll(/[^\w-]/g, '_')}`;
  }

  /** Moves the characters typed before the field had focus into it. */
  protected takeTyped(field: HTMLInputElement): void {
    const text = this.typed?.end();
    this.typed = null;
    if (!text) return;
    // Immediately: the next letter may arrive before the next rendering.
    field.value = text;
    this.query.set(text);
  }

  protected type(event: Event): void {
    this.query.set((event.target as HTMLInputElement).value);
    this.chosen.set(null);
  }

  protected press(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.move(step);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Enter may follow the last letter before its results are drawn.
      this.application.tick();
      const active = this.active();
      // As a click, which does nothing on a disabled entry.
      if (active) document.getElementById(this.optionId(active.entry))?.click();
    }
  }

  /** Arrow keys wrap around; page keys stop at the ends. */
  private move(step: number): void {
    const flat = this.flat();
    const active = this.active();
    if (!active) return;
    const next = flat.indexOf(active) + step;
    const at =
      Math.abs(step) === 1
        ? (next + flat.length) % flat.length
        : Math.min(Math.max(next, 0), flat.length - 1);
    const target = flat[at];
    if (!target) return;
    this.chosen.set(target.entry.id);
    document.getElementById(this.optionId(target.entry))?.scrollIntoView({ block: 'nearest' });
  }
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
