import {
  CdkMenu,
  CdkMenuGroup,
  CdkMenuItem,
  CdkMenuItemCheckbox,
  CdkMenuItemRadio,
  CdkMenuTrigger,
} from '@angular/cdk/menu';
import {
  Component,
  computed,
  type ElementRef,
  inject,
  input,
  linkedSignal,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { lineDay } from '../lines/line-time';
import { ViewOptions } from '../lines/view-options';
import { Clock } from '../browser/clock';
import { Icon } from '../ui/icon';
import { SlashFocus } from '../ui/slash-focus';
import {
  awaitsRegex,
  type Chip,
  chipsOf,
  LEVEL_CHOICES,
  type LogQuery,
  type SearchScope,
  STREAM_CHOICES,
  typedText,
  withEntry,
  withoutFilter,
  withoutText,
} from './log-query';
import { parseQuery } from '../../../../backend/src/core/search/index.js';
import { type Completable, completableAt, completed } from './query-completion';
import { queryReading } from './query-reading';
import { KeepOpen } from './keep-open';
import { QueryCompletions } from './query-completions';
import { PeriodForm } from './period-form';
import { periodClock } from './time-input';
import { PlainButton } from '../ui/plain-button';

const PERIODS = [
  ['5m', $localize`Last 5 minutes`],
  ['15m', $localize`Last 15 minutes`],
  ['1h', $localize`Last hour`],
  ['24h', $localize`Last 24 hours`],
  ['7d', $localize`Last 7 days`],
  [null, $localize`All time`],
] as const;

interface ChoiceGroup {
  key: 'levels' | 'streams';
  label: string;
  choices: readonly string[];
}

const GROUPS: readonly ChoiceGroup[] = [
  { key: 'levels', label: $localize`Levels`, choices: LEVEL_CHOICES },
  { key: 'streams', label: $localize`Streams`, choices: STREAM_CHOICES },
];

@Component({
  selector: 'sw-query-bar',
  imports: [
    CdkMenu,
    CdkMenuGroup,
    CdkMenuItem,
    CdkMenuItemCheckbox,
    CdkMenuItemRadio,
    CdkMenuTrigger,
    Icon,
    KeepOpen,
    PeriodForm,
    QueryCompletions,
    SlashFocus,
    PlainButton,
  ],
  templateUrl: './query-bar.html',
  styleUrl: './query-bar.scss',
})
export class QueryBar {
  private readonly options = inject(ViewOptions);
  private readonly now = inject(Clock).now;
  readonly query = input.required<LogQuery>();
  /** Sources whose lines complete what is typed. */
  readonly scope = input<SearchScope>(null);
  /** Whether lines may have streams. */
  readonly streams = input(true);
  readonly changed = output<LogQuery>();
  readonly left = output();
  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');
  protected readonly completions = viewChild(QueryCompletions);
  private readonly range = viewChild.required<ElementRef<HTMLElement>>('range');
  protected readonly typed = linkedSignal(() => typedText(this.query()));
  protected readonly isInvalid = signal(false);
  /** The condition that the list below the field completes; null while it is closed. */
  protected readonly completing = signal<Completable | null>(null);
  protected readonly askingPeriod = signal(false);
  private readonly today = computed(() => lineDay(this.now() * 1000, this.options.time()));
  private readonly allChips = computed(() =>
    chipsOf(this.query(), periodClock(this.options.time(), this.today())),
  );
  /** The time range has a button of its own. */
  protected readonly chips = computed(() => this.allChips().filter(({ kind }) => kind !== 'period'));
  protected readonly period = computed(() => {
    const known = PERIODS.find(([span]) => this.isPeriod(span));
    const chip = this.allChips().find(({ kind }) => kind === 'period');
    return known ? known[1] : `${chip?.word ?? ''} ${chip?.value ?? ''}`.trim();
  });
  private readonly node = computed(() => (awaitsRegex(this.query()) ? null : parseQuery(this.typed())));
  protected readonly isRegex = computed(() => awaitsRegex(this.query()) || this.node()?.type === 'regex');
  /** How the typed text will be read; null for a single text or regex. */
  protected readonly reading = computed(() => {
    const node = this.node();
    return node === null || node.type === 'text' || node.type === 'regex' ? null : queryReading(node);
  });
  protected readonly groups = computed(() => GROUPS.filter(({ key }) => key === 'levels' || this.streams()));
  protected readonly periods = PERIODS;

  focus(): void {
    this.field().nativeElement.focus();
  }

  protected type(event: Event): void {
    this.isInvalid.set(false);
    this.typed.set((event.target as HTMLInputElement).value);
    this.complete(false);
    // The clear button of the field fires no key event.
    if (this.typed() === '' && this.query().text !== '') this.change({ text: '', regex: false });
  }

  /** @param always also where nothing is typed yet */
  protected complete(always: boolean): void {
    const { value, selectionEnd } = this.field().nativeElement;
    const at = awaitsRegex(this.query()) ? null : completableAt(value, selectionEnd ?? value.length);
    this.completing.set(at && (always || at.typed !== '' || at.compared) ? at : null);
  }

  protected take(value: string): void {
    const at = this.completing();
    const input = this.field().nativeElement;
    if (!at) return;
    const { text, caret } = completed(input.value, at, value);
    this.typed.set(text);
    input.value = text;
    input.setSelectionRange(caret, caret);
    this.complete(false);
  }

  protected enter(): void {
    this.completing.set(null);
    const next = withEntry(this.query(), this.typed());
    if (next === null) {
      this.isInvalid.set(true);
      return;
    }
    this.typed.set(typedText(next));
    this.changed.emit(next);
  }

  protected press(event: KeyboardEvent): void {
    const opens = event.key === 'ArrowDown' || (event.key === ' ' && event.ctrlKey);
    if (this.completions()?.press(event) || opens) {
      event.preventDefault();
      if (opens && !this.completing()) this.complete(true);
    } else if (event.key === 'Enter') this.enter();
    else if (event.key === 'Escape') {
      // A search field would clear itself.
      event.preventDefault();
      const isOpen = this.completions()?.isOpen();
      this.completing.set(null);
      if (isOpen) return;
      this.isInvalid.set(false);
      this.typed.set(typedText(this.query()));
      this.left.emit();
    } else if (event.key === 'Backspace' && this.typed() === '') {
      const last = this.chips().at(-1);
      if (last) this.remove(last);
    }
  }

  protected toggle(what: 'regex' | 'matchCase'): void {
    if (what === 'matchCase') {
      const next = withEntry(this.query(), this.typed()) ?? this.query();
      this.changed.emit({ ...next, matchCase: !next.matchCase });
    } else {
      const node = this.node();
      const typed = this.typed().trim();
      const source = node?.type === 'regex' ? node.source : typed;
      const text = typed === typedText(this.query()) ? this.query().text : source;
      this.changed.emit({ ...this.query(), text, regex: !this.isRegex() });
    }
  }

  protected removeLabel({ word, value }: Chip): string {
    const condition = `${word} ${value}`.trim();
    return $localize`Remove: ${condition}:condition:`;
  }

  protected remove(chip: Chip): void {
    this.changed.emit(chip.rest);
    this.field().nativeElement.focus();
  }

  protected isChosen({ key }: ChoiceGroup, choice: string): boolean {
    const chosen: readonly string[] = this.query()[key];
    return chosen.includes(choice);
  }

  protected toggleChoice(group: ChoiceGroup, choice: string): void {
    const next = group.choices.filter((other) => (other === choice) !== this.isChosen(group, other));
    this.changed.emit({ ...this.query(), [group.key]: next });
  }

  protected periodLabel(): string {
    return $localize`Time range, ${this.period()}:period:`;
  }

  protected isPeriod(span: string | null): boolean {
    const { from, to } = this.query();
    return from === span && to === null;
  }

  protected closePeriod(): void {
    this.askingPeriod.set(false);
    this.range().nativeElement.focus();
  }

  protected useTyped(as: 'mark' | 'without'): void {
    const text = this.typed().trim();
    if (text === '') return;
    const query = { ...this.query(), text: '' };
    this.typed.set('');
    this.changed.emit(as === 'mark' ? { ...query, marks: [...query.marks, text] } : withoutText(query, text));
  }

  protected clear(): void {
    this.typed.set('');
    this.changed.emit(withoutFilter(this.query()));
  }

  protected change(change: Partial<LogQuery>): void {
    this.changed.emit({ ...this.query(), ...change });
  }
}
