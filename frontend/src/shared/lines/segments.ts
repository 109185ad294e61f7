import { readAnsi, type Stretch } from './ansi';

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

/** A row's text in stretches: colours of its own, else the names of fields dimmed; what the marks find is marked. */
export function segmentsOf(text: string, marks: RegExp | null): { segments: Segment[]; isClipped: boolean } {
  const stretches = readAnsi(text);
  const { clipped, isClipped } = clip(stretches);
  const looks = clipped.some(({ look }) => look !== '') ? clipped : clipped.flatMap(dimFields);
  return { segments: marks === null ? looks.map(unmarked) : mark(looks, marks), isClipped };
}

/** What finds every one of some texts; null where there is none. */
export function marksOf(
  texts: readonly { text: string; regex: boolean; matchCase: boolean }[],
): RegExp | null {
  const parts = texts.filter(({ text }) => text !== '');
  if (parts.length === 0) return null;
  const pattern = parts.map(({ text, regex }) => (regex ? `(?:${text})` : escapeRegex(text))).join('|');
  try {
    return new RegExp(pattern, parts.every(({ matchCase }) => matchCase) ? 'gu' : 'giu');
  } catch {
    // An expression that the server understands and the browser does not: nothing is marked.
    return null;
  }
}

export function escapeRegex(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');
}

function clip(stretches: readonly Stretch[]): { clipped: Stretch[]; isClipped: boolean } {
  let left = LONGEST_SHOWN;
  const clipped: Stretch[] = [];
  for (const { text, look } of stretches) {
    if (left <= 0) return { clipped, isClipped: true };
    clipped.push({ text: text.slice(0, left), look });
    left -= text.length;
  }
  return { clipped, isClipped: left < 0 };
}

function dimFields({ text, look }: Stretch): Stretch[] {
  if (!text.includes('=')) return [{ text, look }];
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

function unmarked({ text, look }: Stretch): Segment {
  return { text, look, isMarked: false };
}

/** Marks may begin in one stretch and end in another. */
function mark(stretches: readonly Stretch[], marks: RegExp): Segment[] {
  const whole = stretches.map(({ text }) => text).join('');
  const found = [...whole.matchAll(marks)]
    .filter(([text]) => text !== '')
    .map((match) => ({ from: match.index, to: match.index + match[0].length }));
  if (found.length === 0) return stretches.map(unmarked);
  const segments: Segment[] = [];
  let at = 0;
  for (const { text, look } of stretches) {
    const end = at + text.length;
    let from = at;
    for (const hit of found) {
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
