import type { LogStream } from '../../runtime/index.js';
import { recordedText, yamlDocuments } from '../recorded.js';

export interface LogScript {
  start: readonly string[];
  /** Seconds of demo time between two entries afterwards; null for none. */
  seconds: number | null;
  /** Templates of entries. An entry has one or several lines. */
  lines: readonly { share?: number; text: string }[];
  lists?: Readonly<Record<string, readonly string[]>>;
  /** Default: stdout. */
  stream?: LogStream;
}

interface Moment {
  /** Milliseconds since the epoch. */
  at: number;
  number: number;
  /** A pseudo-random number from 0 to 1, the same for the same entry and salt. */
  random: (salt: string) => number;
}

interface PodContainer {
  name: string;
  image: string;
  command: string;
  /** Whether it ends by itself. */
  ends: boolean;
}

const BY_CONTAINER = ['web', 'api', 'ledger', 'etcd', 'coredns'];
const BY_IMAGE = ['postgres', 'redis', 'stripe-mock'];

let scripts: Record<string, LogScript> | undefined;

export function recordedScript(name: string): LogScript {
  scripts ??= yamlDocuments<Record<string, LogScript>>(recordedText('logs.yaml'))[0];
  const found = scripts?.[name];
  if (!found) throw new Error(`logs.yaml has no ${name}.`);
  return found;
}

export function podScript({ name, image, command, ends }: PodContainer): LogScript {
  const echo = echoScript(command);
  if (echo) return echo;
  const program =
    BY_CONTAINER.find((container) => container === name) ??
    BY_IMAGE.find((one) => image.includes(`/${one}:`));
  const isWorker = ends || image.includes('worker') || image.includes('shop/');
  return recordedScript(program ?? (isWorker ? 'worker' : 'klog'));
}

/** A shell that echoes one text, once or in a loop. */
function echoScript(command: string): LogScript | undefined {
  const [, echoed, toStderr] = /\becho (.+?)\s*(>&2)?\s*(?:;|&&|$)/.exec(command) ?? [];
  if (echoed === undefined) return undefined;
  const text = echoed.replaceAll(/^["']|["']$/g, '');
  const stream = toStderr === undefined ? 'stdout' : 'stderr';
  if (!/\b(while|until|for)\b/.test(command)) return { start: [text], seconds: null, stream, lines: [] };
  const [, seconds = '1'] = /\bsleep ([\d.]+)/.exec(command) ?? [];
  const lines = [{ text: text.replaceAll(/\$\w+/g, '${number}') }];
  return { start: [], seconds: Number(seconds), stream, lines };
}

/**
 * The lines of an entry. Placeholders: `${time:FORMAT}`; `${number}`, the number of the entry; `${count:1-9}`, that number
 * within a range; `${int:1-9}`, `${float:1-9:DIGITS}`, `${hex:LENGTH}`, `${list:NAME}`, random but equal within an entry.
 */
export function entryLines({ lines, lists = {} }: LogScript, { at, number, random }: Moment): string[] {
  let chance = random('line');
  const line = lines.find(({ share = 1 }) => (chance -= share) < 0) ?? lines.at(-1);
  const text = line?.text.replaceAll(
    /\$\{(\w{1,20})(?::([^{}]{0,100}))?\}/g,
    (placeholder, kind: string, argument = '') => {
      const [, from = '0', to = '0', digits = '0'] = /^(\d+)-(\d+)(?::(\d))?$/.exec(argument as string) ?? [];
      const [low, width, chosen] = [Number(from), Number(to) - Number(from), random(placeholder)];
      if (kind === 'time') return timeIn(argument as string, at);
      if (kind === 'count') return String(low + (number % (width + 1)));
      if (kind === 'int' || kind === 'float') return (low + chosen * width).toFixed(Number(digits));
      if (kind === 'hex') {
        return Math.floor(chosen * 2 ** 48)
          .toString(16)
          .padStart(12, '0')
          .slice(-Number(argument));
      }
      if (kind === 'list') {
        return (
          lists[argument as string]?.at(-Math.ceil(chosen * (lists[argument as string]?.length ?? 0))) ?? ''
        );
      }
      return String(number);
    },
  );
  return text?.split('\n') ?? [];
}

function timeIn(format: string, at: number): string {
  const iso = new Date(at).toISOString();
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? [];
  switch (format) {
    case 'common':
      return `${day}/${month}/${year}:${time} +0000`;
    case 'java':
      return iso.replace('T', ' ').replace('.', ',').replace('Z', '');
    case 'sql':
      return iso.replace('T', ' ').replace('Z', '');
    case 'klog':
      return `${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11, 23)}000`;
    case 'redis':
      return `${day} ${month} ${year} ${time}.${iso.slice(20, 23)}`;
    default:
      return iso;
  }
}
