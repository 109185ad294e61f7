import type { LogLine } from '../../drivers/log-store/index.js';
import { wireLine } from '../log-lines/index.js';
import type { WireMergedLine } from './line-page.dto.js';

/** A line of a merged page, in compact form. */
export function mergedLine(source: number, line: LogLine): WireMergedLine {
  return [source, ...wireLine(line)];
}
