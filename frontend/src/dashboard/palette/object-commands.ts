import type { ResourceAction, SearchResultDto } from '../../shared/api/api-types';
import type { IconName } from '../../shared/ui/icon';

type ObjectAction =
  | Extract<ResourceAction, 'expose' | 'restart' | 'scale' | 'change-image' | 'run'>
  | 'undo'
  | 'shell'
  | 'forward'
  | 'files';

/** An action on an object that is found by its name. */
export interface ObjectCommand {
  action: ObjectAction;
  icon: IconName;
  /** The command before the name of the object, in lower case. Each word may be abbreviated to three letters. */
  words: readonly string[];
  /** Of the entry for an object. @param port with a space before it; empty without one */
  textOf: (name: string, port: string) => string;
  /** Plurals with their group, as `deployments.apps`. */
  kinds: readonly string[];
}

const WITH_ROLLOUT = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'];
const WITH_PORTS = ['services.core', 'pods.core', ...WITH_ROLLOUT, 'replicasets.apps', 'jobs.batch'];
const MIN_LETTERS = 3;
const MIN_NAME = 2;

export const SHELL: ObjectCommand = {
  action: 'shell',
  icon: 'terminal',
  words: words($localize`shell`),
  textOf: (name) => $localize`Shell ${name}:pod:`,
  kinds: ['pods.core'],
};

const COMMANDS: readonly ObjectCommand[] = [
  SHELL,
  {
    action: 'forward',
    icon: 'link',
    words: words($localize`forward`),
    textOf: (name, port) => $localize`Forward ${name}:object:${port}:port:…`,
    kinds: WITH_PORTS,
  },
  {
    action: 'files',
    icon: 'layers',
    words: words($localize`files of`),
    textOf: (name) => $localize`Files of ${name}:pod:`,
    kinds: ['pods.core'],
  },
  {
    action: 'expose',
    icon: 'external',
    words: words($localize`expose`),
    textOf: (name) => $localize`Expose ${name}:object:…`,
    kinds: [...WITH_ROLLOUT, 'replicasets.apps', 'pods.core'],
  },
  {
    action: 'undo',
    icon: 'refresh',
    words: words($localize`undo rollout`),
    textOf: (name) => $localize`Undo rollout ${name}:object:…`,
    kinds: WITH_ROLLOUT,
  },
  {
    action: 'restart',
    icon: 'refresh',
    words: words($localize`restart`),
    textOf: (name) => $localize`Restart ${name}:object:…`,
    kinds: [...WITH_ROLLOUT, 'pods.core'],
  },
  {
    action: 'scale',
    icon: 'layers',
    words: words($localize`scale`),
    textOf: (name) => $localize`Scale ${name}:object:…`,
    kinds: ['deployments.apps', 'statefulsets.apps', 'replicasets.apps'],
  },
  {
    action: 'change-image',
    icon: 'box',
    words: words($localize`change image of`),
    textOf: (name) => $localize`Change image of ${name}:object:…`,
    kinds: [...WITH_ROLLOUT, 'cronjobs.batch'],
  },
  {
    action: 'run',
    icon: 'play',
    words: words($localize`run cronjob`),
    textOf: (name) => $localize`Run CronJob ${name}:object: now`,
    kinds: ['cronjobs.batch'],
  },
];

export interface ReadCommand {
  /** All that the text may begin. */
  commands: readonly ObjectCommand[];
  name: string;
  /** A number after the name of an object whose port is forwarded. */
  port: number | undefined;
}

/** The commands that a text begins with, and what comes after them; undefined for other texts. */
export function readCommand(text: string): ReadCommand | undefined {
  const typed = words(text.toLowerCase());
  const matches = COMMANDS.map((command) => ({ command, count: matchCount(command.words, typed) }));
  const count = Math.max(...matches.map((match) => match.count));
  const commands = matches.filter((match) => match.count === count).map(({ command }) => command);
  const rest = typed.slice(count).join(' ');
  const [, before, port] = /^(.*[^\s:])[\s:]+(\d{1,5})$/.exec(rest) ?? [];
  const hasPort = port !== undefined && commands.every(({ action }) => action === 'forward');
  const name = hasPort ? (before ?? '') : rest;
  if (count === 0 || name.length < MIN_NAME) return undefined;
  return { commands, name, port: hasPort ? Number(port) : undefined };
}

export function fits({ kinds }: ObjectCommand, { plural, group }: SearchResultDto): boolean {
  return kinds.includes(`${plural}.${group}`);
}

function matchCount(wanted: readonly string[], typed: readonly string[]): number {
  const end = wanted.findIndex((word, index) => {
    const own = typed[index] ?? '';
    return own !== word && (own.length < MIN_LETTERS || !word.startsWith(own));
  });
  return end === -1 ? wanted.length : end;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}
