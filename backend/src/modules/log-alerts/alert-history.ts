import { Injectable } from '@nestjs/common';
import { timeText } from '../../core/values/index.js';
import type { LogQuery, SearchEnd } from '../../drivers/log-store/index.js';
import { LogStoreAccess } from '../log-sources/index.js';
import type { AlertPreviewDto, PreviewAlertDto } from './alert.dto.js';
import { AlertRule } from './alert-rule.js';
import { LineMatch, skipsFrames } from './line-match.js';
import { matchesSource } from './source-match.js';

const DAY_US = 24 * 3600 * 1_000_000;
/** Matching lines to evaluate, the newest. Only their times are kept. */
const MAX_LINES = 50_000;

/** When an alert would have fired, from stored lines. */
@Injectable()
export class AlertHistory {
  constructor(private readonly access: LogStoreAccess) {}

  /** Evaluates the rule over the last 24 hours. @throws DomainError `invalid_input`, `search_invalid` */
  async preview(request: PreviewAlertDto, signal: AbortSignal): Promise<AlertPreviewDto> {
    const store = await this.access.get();
    const now = Date.now() * 1000;
    const plan = new LineMatch(request.query).plan(store.sources());
    const sources = store
      .sources()
      .filter(
        ({ id, identity }) =>
          matchesSource(request.sources, identity) && plan.sources?.includes(id) !== false,
      );
    const oldest = sources.reduce((first, { extent }) => Math.min(first, extent.firstTime ?? first), now);
    const from = Math.max(now - DAY_US, oldest);
    const query = { ...plan, sources: sources.map(({ id }) => id), from };
    const rule = new AlertRule({ ...request, last_fired_at: null });
    const found = await this.find(query, signal);
    const fired = found.times.filter((time) => rule.count({ time }, time / 1000));
    const since = found.reason === 'complete' ? from : found.since;
    const last = fired.at(-1);
    return {
      fired: fired.length,
      lines: found.times.length,
      last_fired_at: last === undefined ? null : timeText(last),
      since: since === null ? null : timeText(since),
      reason: found.reason,
    };
  }

  /** The times of the newest matching lines, oldest first. */
  private async find(
    query: LogQuery,
    signal: AbortSignal,
  ): Promise<{ times: number[]; since: number | null; reason: SearchEnd }> {
    const store = await this.access.get();
    const skipped = skipsFrames(query);
    const times: number[] = [];
    let last: number | null = null;
    const search = { ...query, order: 'newest', limit: MAX_LINES, characters: 1, cursor: null } as const;
    for await (const event of store.search(search, signal)) {
      if (event.type === 'match') {
        last = event.line.time;
        if (!(skipped && event.line.continues)) times.push(last);
      } else if (event.type === 'end') {
        const since = event.reason === 'limit' ? last : event.time;
        // Lines of several sources are ordered by the latest time of their source.
        return { times: times.sort((one, other) => one - other), since, reason: event.reason };
      }
    }
    throw new Error('the search has no end event');
  }
}
