import { DIALOG_DATA, DialogRef } from '@angular/cdk/dialog';
import { Component, computed, effect, type ElementRef, inject, signal, viewChild } from '@angular/core';
import { plural } from '../../shared/format/format';
import { UI } from '../../shared/ui/ui';
import type { KeyBuffer } from './key-buffer';
import { NameSearch } from './name-search';
import { PaletteEntries } from './palette-entries';
import type { EntryGroup, PaletteEntry } from './palette-entry';
import { rankEntries } from './rank-entries';

const TITLES: Readonly<Record<Exclude<EntryGroup, 'here' | 'kinds'>, string>> = {
  clusters: $localize`Clusters`,
  pages: $localize`Pages`,
  actions: $localize`Actions`,
  names: $localize`Objects`,
};

/** Command palette: finds pages, clusters, actions and objects. Focus stays in the field; arrow keys select. */
@Component({
  selector: 'sw-palette-dialog',
  imports: [UI],
  providers: [PaletteEntries, NameSearch],
  templateUrl: './palette-dialog.html',
  styleUrl: './palette-dialog.scss',
})
export class PaletteDialog {
  protected readonly dialog = inject<DialogRef<PaletteEntry>>(DialogRef);
  private readonly available = inject(PaletteEntries);
  private typed: KeyBuffer | null = inject<KeyBuffer>(DIALOG_DATA);
  private readonly list = viewChild.required<ElementRef<HTMLElement>>('list');

  protected readonly search = inject(NameSearch);

  protected readonly query = this.search.text;
  protected readonly groups = computed(() =>
    rankEntries([...this.available.entries(), ...this.search.entries()], this.query()),
  );
  private readonly flat = computed(() => this.groups().flatMap(({ entries }) => entries));
  /** The selected entry; by default, and if it has gone, the first one. */
  protected readonly chosen = signal<string | null>(null);
  protected readonly active = computed(
    () => this.flat().find(({ entry }) => entry.id === this.chosen()) ?? this.flat()[0],
  );
  protected readonly notes = computed(() => [...this.available.notes(), ...this.search.notes()]);
  protected readonly spoken = computed(() =>
    this.query().trim() === '' || this.search.busy() ? '' : plural(this.flat().length, 'result'),
  );

  constructor() {
    effect(() => {
      const { chosen } = this;
      if (chosen() === null) this.list().nativeElement.scrollTop = 0;
    });
  }

  protected titleOf(group: EntryGroup): string {
    if (group === 'here') return this.available.here()?.name ?? '';
    if (group === 'kinds') return $localize`Resources of ${this.available.here()?.name ?? ''}:cluster:`;
    return TITLES[group];
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
      const active = this.active();
      if (active) this.dialog.close(active.entry);
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
