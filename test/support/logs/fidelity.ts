import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line of the corpus, with its parts as the documentation of its format defines them. */
interface CorpusLine {
  text: string;
  level: string | null;
  fields: Record<string, string>;
  message: string;
}

/** An entry of several lines, and the first line of the entry behind it. */
interface CorpusEntry {
  level: string | null;
  lines: string[];
  next: string;
}

interface Format {
  format: string;
  documentation: string;
  lines: CorpusLine[];
  entries?: CorpusEntry[];
}

const CORPUS = join(import.meta.dirname, '..', '..', 'fixtures', 'lines');

export function readCorpus(folder = CORPUS): Format[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Format);
}

/** The readers of the sources, or of a build. */
export interface LineReaders {
  levelOf: (text: string) => string | null;
  fieldsOf: (text: string) => { format: string | null; pairs: readonly { name: string; value: string }[] };
  partsOf: (text: string) => { message: string };
  plainText: (text: string) => string;
  LineGrouping: new () => {
    continues: (stream: null, time: number, text: string) => boolean;
    level: (stream: null, continues: boolean, text: string) => string | null;
  };
}

interface Miss {
  format: string;
  what: 'level' | 'fields' | 'message' | 'entry';
  text: string;
  expected: unknown;
  read: unknown;
}

export interface Fidelity {
  formats: number;
  lines: number;
  entries: number;
  /** Shares of the lines and entries that are read as documented, in percent. */
  shares: Record<Miss['what'], number>;
  misses: Miss[];
}

/** Compares the parts that are read from each line with the documented ones. */
export function fidelityOf(corpus: readonly Format[], readers: LineReaders): Fidelity {
  const misses: Miss[] = [];
  for (const { format, lines, entries = [] } of corpus) {
    for (const { level, lines: texts, next } of entries) {
      const expected = [...texts.map((_, index) => index > 0), false, level];
      const read = grouped([...texts, next], readers);
      if (JSON.stringify(read) !== JSON.stringify(expected)) {
        misses.push({ format, what: 'entry', text: texts.join('\n'), expected, read });
      }
    }
    for (const line of lines) {
      const miss = (what: Miss['what'], expected: unknown, read: unknown): void => {
        misses.push({ format, what, text: line.text, expected, read });
      };
      const level = readers.levelOf(line.text);
      if (level !== line.level) miss('level', line.level, level);
      const { pairs } = readers.fieldsOf(line.text);
      const fields = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
      if (textOf(fields) !== textOf(line.fields)) miss('fields', line.fields, fields);
      const { message } = readers.partsOf(readers.plainText(line.text));
      if (!isMessage(line, message)) miss('message', line.message, message);
    }
  }
  const lines = corpus.reduce((sum, one) => sum + one.lines.length, 0);
  const entries = corpus.reduce((sum, one) => sum + (one.entries?.length ?? 0), 0);
  const share = (what: Miss['what'], of = lines): number =>
    100 * (1 - misses.filter((miss) => miss.what === what).length / of);
  const shares = {
    level: share('level'),
    fields: share('fields'),
    message: share('message'),
    entry: share('entry', entries),
  };
  return { formats: corpus.length, lines, entries, shares, misses };
}

/** Whether each line continues the one before it, and the level of the first. */
function grouped(texts: readonly string[], { LineGrouping }: LineReaders): (boolean | string | null)[] {
  const grouping = new LineGrouping();
  const levels: (string | null)[] = [];
  const continues = texts.map((text, index) => {
    const belongs = grouping.continues(null, index, text);
    levels.push(grouping.level(null, belongs, text));
    return belongs;
  });
  return [...continues, levels[0] ?? null];
}

/** The message of a field is exact. A line without one is shown whole, so that its message is the end of the line. */
function isMessage({ message, fields, text }: CorpusLine, read: string): boolean {
  const isField = Object.values(fields).includes(message) || /^[IWEF]\d{4,8} .*\] "/.test(text);
  return isField ? read === message : read.endsWith(message);
}

function textOf(fields: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(fields).sort());
}
