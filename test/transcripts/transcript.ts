import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type EngineName = 'docker' | 'podman';
export const ENGINE_NAMES: readonly EngineName[] = ['docker', 'podman'];

/** One request to an engine's API and what it answered, with what varies replaced by `{placeholders}`. */
export interface Exchange {
  /** The state of the machine: `running`, `worker-killed`, `nothing-left`. */
  situation: string;
  /** Method, path and query as sent: `GET /volumes/{volume}`. */
  request: string;
  status: number;
  /** The answer, cut to what the product reads. A stream is the list of its messages. */
  body?: unknown;
  stream?: unknown[];
}

/** One run of kind: what it was asked, and what it said. */
export interface KindRun {
  situation: string;
  args: string[];
  /** Variables that the product added to the child's environment. */
  environment: Record<string, string>;
  exitCode: number;
  output: { stream: 'stdout' | 'stderr'; text: string }[];
}

export interface Transcript {
  engine: EngineName;
  /** For the reader: versions that were recorded. */
  recorded: { engine: string; kind: string };
  exchanges: Exchange[];
  kind: KindRun[];
}

const folder = join(import.meta.dirname);

export function readTranscript(engine: EngineName): Transcript {
  return JSON.parse(readFileSync(join(folder, `${engine}.json`), 'utf8')) as Transcript;
}

export function writeTranscript(transcript: Transcript): void {
  writeFileSync(join(folder, `${transcript.engine}.json`), `${JSON.stringify(transcript, null, 2)}\n`);
}

/** A recorded run or exchange by its situation. @throws Error naming what there is, for a typing mistake. */
export function situation<TEntry extends { situation: string }>(
  entries: readonly TEntry[],
  name: string,
): TEntry {
  const found = entries.find((entry) => entry.situation === name);
  if (found) return found;
  const known = [...new Set(entries.map((entry) => entry.situation))].join(', ');
  throw new Error(`no transcript of "${name}"; there are: ${known}`);
}
