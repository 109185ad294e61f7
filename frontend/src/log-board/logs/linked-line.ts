import { effect, type Signal, untracked } from '@angular/core';
import type { ParamMap } from '@angular/router';
import type { LinePlace, LogLine } from '../../shared/lines/log-line';
import { parseLineReference } from '../search-model/line-address';
import type { ShownViews } from './lines/shown-views';
import type { LogSources } from './sources/log-sources';

interface Page {
  sources: LogSources;
  views: ShownViews;
  /** The matches may not contain a line of this source. */
  leaveMatches: (source: number) => void;
  goTo: (place: LinePlace) => Promise<LogLine | null>;
  open: (line: LogLine | null) => void;
}

/**
 * Opens the line that the URL names, as soon as it can be shown: `line` by its number, `at` by a second, of which it is
 * the last line so far. Requires an injection context.
 */
export function openLinkedLine(params: Signal<ParamMap>, page: Page): void {
  let opened: string | null = null;
  effect(() => {
    const wanted = params().get('line');
    const line = parseLineReference(wanted);
    const source = line && page.sources.all().find(({ key }) => key === line.key);
    const holding = source && page.views.of(source.id);
    const view = holding?.isOpen() ? holding : undefined;
    if (!source || wanted === opened) return;
    untracked(() => page.leaveMatches(source.id));
    if (!view) return;
    opened = wanted;
    const place = { source: source.id, seq: line.seq };
    untracked(() => void page.goTo(place).then(page.open));
  });
  effect(() => {
    const wanted = params().get('at');
    const end = Date.parse(wanted ?? '') + 1000;
    const view = page.views.all().at(0);
    if (Number.isNaN(end) || wanted === opened || view?.isOpen() !== true || view.ids().length === 0) return;
    opened = wanted;
    const shown = untracked(() => view.goToLineBefore(end * 1000));
    // Without the line, the log is shown as if none was named.
    void shown.then(page.open, () => undefined);
  });
}
