import { computed, type Signal } from '@angular/core';
import type { ParamMap } from '@angular/router';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { lineName } from '../line-address';
import type { LogSources } from './log-sources';
import { choiceParameters, choiceSummary, isChosen, NOTHING_CHOSEN, readChoice } from './source-choice';

/** Characters of sources that one question to the server may name. */
const MOST_NAMED = 20_000;

/** The sources that the address chooses, as they come and go. */
export class ChosenSources {
  constructor(
    private readonly params: Signal<ParamMap>,
    private readonly sources: LogSources,
  ) {}

  readonly choice = computed(() => readChoice(this.params()));
  readonly all = computed(() => {
    const choice = this.choice();
    return this.sources.all().filter((source) => isChosen(source, choice));
  });
  /** None of them writes any more. */
  readonly isGone = computed(
    () => this.all().length > 0 && this.all().every(({ state }) => state === 'gone'),
  );
  readonly ids = computed(() => this.all().map(({ id }) => id), { equal: isSameList });
  /** More than one question to the server may name. */
  readonly isTooMany = computed(() => this.ids().join().length > MOST_NAMED);
  /** Those that can be asked for. */
  readonly readable = computed(() => (this.isTooMany() ? [] : this.ids()));
  /** Keys of the address stand also for what is not there yet. */
  readonly keys = computed(() => [...new Set([...this.choice().keys, ...this.all().map(({ key }) => key)])], {
    equal: isSameList,
  });
  /** What the address asks for that is not there. */
  readonly missing = computed(() => {
    const choice = this.choice();
    const isThere = choice.groups.length === 0 || this.all().length > 0;
    return isThere || this.sources.byId() === null ? null : choiceSummary(choice);
  });

  /** Parameters of the address of a line among those of all that are chosen, where its source is. */
  lineAddress(source: LogSourceDto, seq: number): Record<string, string | string[] | null> {
    const choice = this.choice();
    const among = isChosen(source, choice) ? choice : { ...NOTHING_CHOSEN, keys: [source.key] };
    return { ...choiceParameters(among), line: lineName(source.key, seq) };
  }
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}
