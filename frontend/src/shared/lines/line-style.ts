import type { Level } from '../api/api-types';

export interface ClusterMark {
  /** A few letters. */
  code: string;
  /** 1 to 8. */
  hue: number;
}

export interface SourceStyle {
  /** Shown before the name of a source in one of several clusters. */
  cluster?: ClusterMark | null;
  name: string;
  title: string;
  /** 1 to 8. */
  hue: number;
}

/** In characters; the mark of a cluster has a border and a gap. */
export function widthOf({ cluster, name }: SourceStyle): number {
  return name.length + (cluster ? cluster.code.length + 2 : 0);
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

/** Height of a row without wrapping. */
const ROW_REM: Readonly<Record<LineSize, number>> = { small: 1.25, medium: 1.375, large: 1.625 };

export function rowPixels(size: LineSize): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  return ROW_REM[size] * rem;
}
