import type { ResourceAction, SearchResultDto } from '../../shared/api/api-types';
import type { IconName } from '../../shared/ui/icon';

type ObjectAction = Extract<ResourceAction, 'restart' | 'scale' | 'change-image' | 'run'> | 'undo';

/** An action on an object that is found by its name. */
export interface ObjectCommand {
  action: ObjectAction;
  icon: IconName;
  /** What is typed before the name of the object, in lower case. Each word may be abbreviated to three letters. */
  words: readonly string[];
  /** Of the entry for an object. */
  textOf: (name: string) => string;
  /** Plurals with their group, as `deployments.apps`. */
  kinds: readonly string[];
}

const WITH_ROLLOUT = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'];
const MIN_LETTERS = 3;
const MIN_NAME = 2;

const COMMANDS: readonly ObjectCommand[] = [
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

/** The commands that a text begins with, and the name after them; undefined for other texts. */
export function readCommand(text: string): { commands: readonly ObjectCommand[]; name: string } | undefined {
  const typed = words(text.toLowerCase());
  const matches = COMMANDS.map((command) => ({ command, count: matchCount(command.words, typed) }));
  const count = Math.max(...matches.map((match) => match.count));
  const name = typed.slice(count).join(' ');
  if (count === 0 || name.length < MIN_NAME) return undefined;
  return { commands: matches.filter((match) => match.count === count).map(({ command }) => command), name };
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
