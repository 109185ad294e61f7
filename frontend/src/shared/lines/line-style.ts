import type { Level } from '../api/api-types';

/** How lines of a source are told from others. */
export interface SourceStyle {
  name: string;
  title: string;
  /** One of eight, from 1 on. */
  hue: number;
}

export const LEVEL_LETTERS: Readonly<Record<Level, string>> = {
  trace: 'TRC',
  debug: 'DBG',
  info: 'INF',
  warn: 'WRN',
  error: 'ERR',
  fatal: 'FTL',
};

export const SIZES = ['small', 'medium', 'large'] as const;
export type LineSize = (typeof SIZES)[number];

/** Of a row that is not wrapped, in rem. */
const ROW_REM: Readonly<Record<LineSize, number>> = { small: 1.25, medium: 1.375, large: 1.625 };

/** The same in pixels. */
export function rowPixels(size: LineSize): number {
  return ROW_REM[size] * rootFontSize();
}

/** Of the page, in pixels: what a rem is. */
export function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}
