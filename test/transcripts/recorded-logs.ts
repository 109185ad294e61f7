import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { EngineName } from './transcript.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d) /;
/** Before each frame of a log that is not a terminal's. */
export const HEADER_BYTES = 8;
const STREAMS = ['stdin', 'stdout', 'stderr'] as const;

/** Where something was written; a terminal has one stream, and tells none. */
type Stream = (typeof STREAMS)[number] | 'terminal';
export type Texts = Partial<Record<Stream, string>>;

interface LogSituation {
  /** The command of the shell. */
  script: string;
  terminal: boolean;
  flags?: Record<EngineName, readonly string[]>;
  /** Its output; where files are rotated, an engine keeps the end of it. */
  writes: Texts;
}

const LONG = "head -c 40000 /dev/zero | tr '\\0' x; echo; echo after";
const numbered = Array.from({ length: 60 }, (_, index) => `line ${index + 1}\n`).join('');

/** The containers whose logs are recorded. */
export const LOG_SITUATIONS = {
  plain: {
    script: "printf 'one\\ntwo \\303\\251\\342\\202\\254\\n\\nlast\\n'",
    terminal: false,
    writes: { stdout: 'one\ntwo é€\n\nlast\n' },
  },
  stderr: {
    script: 'echo out; sleep 0.3; echo err >&2; sleep 0.3; echo out again',
    terminal: false,
    writes: { stdout: 'out\nout again\n', stderr: 'err\n' },
  },
  long: { script: LONG, terminal: false, writes: { stdout: `${'x'.repeat(40_000)}\nafter\n` } },
  terminal: {
    script: 'echo one; sleep 0.3; echo two',
    terminal: true,
    writes: { terminal: 'one\r\ntwo\r\n' },
  },
  'long-terminal': {
    script: LONG,
    terminal: true,
    writes: { terminal: `${'x'.repeat(40_000)}\r\nafter\r\n` },
  },
  rotated: {
    script: 'i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; sleep 0.02; done',
    terminal: false,
    flags: {
      docker: ['--log-opt=max-size=1k', '--log-opt=max-file=3'],
      podman: ['--log-opt=max-size=1k'],
    },
    writes: { stdout: numbered },
  },
} as const satisfies Record<string, LogSituation>;

export type LogSituationName = keyof typeof LOG_SITUATIONS;

/** The response of an engine to a request for a log. */
export interface RecordedLog {
  situation: LogSituationName;
  request: string;
  /** The body byte by byte, with the lengths of HTTP's chunks; by gzip, in base64. */
  body: string;
}

export interface LogTranscript {
  engine: EngineName;
  /** For the reader: the version that was recorded. */
  recorded: string;
  logs: RecordedLog[];
}

/** A part of a log that has headers, by its place in it. */
export interface Frame {
  stream: Stream;
  from: number;
  to: number;
  /** Without the header and the time. */
  text: string;
}

const fileOf = (engine: EngineName): string => join(import.meta.dirname, `${engine}-logs.json`);

export function readLogTranscript(engine: EngineName): LogTranscript {
  return JSON.parse(readFileSync(fileOf(engine), 'utf8')) as LogTranscript;
}

export function writeLogTranscript(transcript: LogTranscript): void {
  writeFileSync(fileOf(transcript.engine), `${JSON.stringify(transcript, null, 2)}\n`);
}

export function packed(body: Buffer): string {
  return gzipSync(body).toString('base64');
}

/** The chunks of HTTP in which a log came. @throws Error where its end is missing */
export function chunksOf({ situation, body }: RecordedLog): Buffer[] {
  const bytes = gunzipSync(Buffer.from(body, 'base64'));
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf('\r\n', at);
    const length = end < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (length === 0) return chunks;
    if (!(end + 2 + length + 2 < bytes.length)) throw new Error(`the recording "${situation}" has no end`);
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}

/** @throws Error where they are no frames, each with a time */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = from + HEADER_BYTES + bytes.readUInt32BE(from + 4);
    const stream = STREAMS[bytes.readUInt32BE(from) / 0x1_00_00_00];
    if (!stream || to > bytes.length) throw new Error(`no frame begins at ${from}`);
    frames.push({ stream, from, to, text: withoutTime(bytes.toString('utf8', from + HEADER_BYTES, to)) });
    from = to;
  }
  return frames;
}

/**
 * The pieces of a log: each frame's text, or each chunk's of a terminal. Podman sends what an engine
 * keeps as one piece in chunks of 2 KB, of which the first alone has a time.
 */
export function textsOf(log: RecordedLog): Texts {
  const chunks = chunksOf(log);
  if (LOG_SITUATIONS[log.situation].terminal) {
    return { terminal: chunks.map((chunk) => chunk.toString('utf8').replace(TIME, '')).join('') };
  }
  const texts: Texts = {};
  for (const { stream, text } of framesOf(Buffer.concat(chunks))) {
    texts[stream] = (texts[stream] ?? '') + text;
  }
  return texts;
}

/** Where a new recording differs from the committed one in what the product relies on. */
export function findLogDrift(committed: LogTranscript, recorded: LogTranscript): string[] {
  return Object.keys(LOG_SITUATIONS).flatMap((situation) => {
    const [before, now] = [committed, recorded].map(({ logs }) =>
      logs.find((log) => log.situation === situation),
    );
    if (!before || !now) return [`${situation} is not recorded`];
    const drift: string[] = [];
    if (before.request !== now.request) drift.push(`${situation} is asked for by ${now.request}`);
    if (notationOf(before) !== notationOf(now)) drift.push(`${situation} has times as ${notationOf(now)}`);
    // How much of rotated files is left depends on when they were.
    const texts = [before, now].map((log) => JSON.stringify(textsOf(log)));
    if (situation !== 'rotated' && texts[0] !== texts[1]) drift.push(`${situation} says ${texts[1] ?? ''}`);
    return drift;
  });
}

/** How the first time of a log is written. */
function notationOf(log: RecordedLog): string {
  const start = LOG_SITUATIONS[log.situation].terminal ? 0 : HEADER_BYTES;
  const [time = ''] = TIME.exec(Buffer.concat(chunksOf(log)).toString('latin1', start)) ?? [];
  return time.replaceAll(/\d/g, '0');
}

/** @throws Error where there is none: each part of a line has one */
function withoutTime(text: string): string {
  const [time] = TIME.exec(text) ?? [];
  if (time === undefined) throw new Error(`no time is before "${text.slice(0, 40)}"`);
  return text.slice(time.length);
}
