import { readAnsi, type Stretch } from './ansi';
import type { Hit } from './hits';

/** A stretch of a row: its classes, and whether a search found it. */
export interface Segment {
  text: string;
  look: string;
  isMarked: boolean;
}

/** Of a long line the row shows no more; all of it is in the details. */
export const LONGEST_SHOWN = 2000;

/** `name=` and the value after it, as logfmt and its like write them. */
const FIELD = /(?<=^|[\s,{(])([A-Za-z_][\w.-]*=)("(?:[^"\\]|\\.)*"|[^\s,)}]*)/g;

/** A row's text: what of it is shown, and how it looks before anything is marked. */
export interface ShownText {
  text: string;
  stretches: readonly Stretch[];
  isClipped: boolean;
}

/** Colours of its own, else the names of fields dimmed. */
export function readShown(line: string): ShownText {
  const { clipped, isClipped } = clip(readAnsi(line));
  const hasLooks = clipped.some(({ look, sign }) => look !== '' && sign === undefined);
  const stretches = hasLooks ? clipped : clipped.flatMap(dimFields);
  return { text: clipped.map(({ text }) => text).join(''), stretches, isClipped };
}

/** Stretches of which each is marked or not; a hit may begin in one look and end in another. */
export function segmentsOf({ stretches }: Pick<ShownText, 'stretches'>, hits: readonly Hit[]): Segment[] {
  if (hits.length === 0) return stretches.map(unmarked);
  const segments: Segment[] = [];
  let at = 0;
  for (const { text, look, sign } of stretches) {
    const end = at + text.length;
    if (sign !== undefined) {
      const begin = at;
      // One that stands for no text is found with what is on both sides of it.
      segments.push({ text: sign, look, isMarked: hits.some((hit) => hit.from < end && hit.to > begin) });
      at = end;
      continue;
    }
    let from = at;
    for (const hit of hits) {
      if (hit.to <= from || hit.from >= end) continue;
      const begin = Math.max(hit.from, from);
      const stop = Math.min(hit.to, end);
      if (begin > from) segments.push({ text: text.slice(from - at, begin - at), look, isMarked: false });
      segments.push({ text: text.slice(begin - at, stop - at), look, isMarked: true });
      from = stop;
    }
    if (from < end) segments.push({ text: text.slice(from - at), look, isMarked: false });
    at = end;
  }
  return segments;
}

function clip(stretches: readonly Stretch[]): { clipped: Stretch[]; isClipped: boolean } {
  let left = LONGEST_SHOWN;
  const clipped: Stretch[] = [];
  for (const stretch of stretches) {
    if (left <= 0) return { clipped, isClipped: true };
    const { text, look, sign } = stretch;
    if (sign === undefined) clipped.push({ text: text.slice(0, left), look });
    else clipped.push({ ...stretch, sign: sign.slice(0, left) });
    left -= (sign ?? text).length;
  }
  return { clipped, isClipped: left < 0 };
}

function dimFields(stretch: Stretch): Stretch[] {
  const { text, look, sign } = stretch;
  if (sign !== undefined || !text.includes('=')) return [stretch];
  const parts: Stretch[] = [];
  let from = 0;
  for (const match of text.matchAll(FIELD)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), look });
    parts.push({ text: match[1] ?? '', look: 'f' });
    if (match[2]) parts.push({ text: match[2], look: 'q' });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), look });
  return parts;
}

function unmarked({ text, look, sign }: Stretch): Segment {
  return { text: sign ?? text, look, isMarked: false };
}
