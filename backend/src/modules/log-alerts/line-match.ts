import { LineConditions, type LogLine } from '../../drivers/log-store/index.js';
import { readField } from '../log-lines/index.js';
import type { AlertQueryDto } from './alert-query.dto.js';
import type { Regex } from './match-texts.js';

/** The query of a rule, compiled. Matching takes linear time: a regex is left to its process. */
export class LineMatch {
  /** To be matched in a process, on lines for which `fits` returns true. */
  readonly regex: Regex | null;
  private readonly conditions: LineConditions;
  private readonly skipsFrames: boolean;

  constructor(query: AlertQueryDto) {
    const { text, regex, case: matchCase, without, level, field, without_field } = query;
    this.regex = regex && text !== null ? { source: text, flags: matchCase ? '' : 'i' } : null;
    // A stack trace counts as one error. Its frames count only if the query searches their text.
    this.skipsFrames = level.length > 0 && text === null && field.length === 0;
    this.conditions = new LineConditions({
      ...{ text, regex, matchCase, without, streams: null },
      levels: level.length > 0 ? level : null,
      fields: field.map(readField),
      withoutFields: without_field.map(readField),
    });
  }

  /** Whether a line matches everything except the regex. */
  fits(line: LogLine): boolean {
    return !(this.skipsFrames && line.continues) && this.conditions.accept(line);
  }
}
