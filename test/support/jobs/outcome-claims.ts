import type { ScriptedNode } from '../engine/engine-world.js';

/** Parts of a cluster, in the engine and in Slipway. */
export interface Remains {
  nodes: Pick<ScriptedNode, 'id' | 'name' | 'state' | 'volume'>[];
  /** Volumes of the nodes. */
  volumes: string[];
  engineVolumes: number;
  /** Node images of the engine. */
  images: string[];
  /** Whether Slipway knows the cluster. */
  recorded: boolean;
  hasConfig: boolean;
  /** Number of nodes by the images loaded into them. */
  loaded: Record<string, number>;
  /** Revisions of the release, oldest first. */
  revisions: string[];
  cordoned: boolean;
}

/** Before the job, at the phase in which it ended, and after it. */
export interface Course {
  before: Remains;
  during: Remains;
  after: Remains;
}

type Claim = [pattern: RegExp, isTrue: (course: Course, ...words: string[]) => boolean];

const allIn =
  (state: string) =>
  ({ after }: Course): boolean =>
    after.nodes.length > 0 && after.nodes.every((node) => node.state === state);

const unchanged = ({ before, after }: Course): boolean => JSON.stringify(before) === JSON.stringify(after);

/** Only running nodes list their images. */
const inUse = ({ nodes }: Remains): number => nodes.filter(({ state }) => state === 'running').length;

const gone = ({ during, after }: Course): string[] =>
  during.nodes.filter(({ id }) => after.nodes.every((node) => node.id !== id)).map(({ id }) => id);

const isEmpty = ({ after: { nodes, recorded } }: Course): boolean => nodes.length === 0 && recorded;
const isGone = ({ after: { nodes, recorded } }: Course): boolean => nodes.length === 0 && !recorded;
const deployed = ({ after }: Course): boolean => after.revisions.at(-1) === 'deployed';
const keeps =
  (state: string) =>
  ({ during, after }: Course): boolean =>
    during.nodes
      .filter((node) => node.state === state)
      .every(({ id }) => after.nodes.some((node) => node.id === id && node.state === state));

/** Sentences about what remains, in messages of ended jobs and in the dialog that confirms a cancellation. */
const CLAIMS: readonly Claim[] = [
  [/Nothing was (?:changed|created)\./, ({ before, after }) => before.nodes.length === after.nodes.length],
  [/The cluster is unchanged\./, unchanged],
  [/No nodes exist\.|has no nodes now\./, isEmpty],
  [
    /The old nodes were removed before\./,
    ({ before, after }) =>
      before.nodes.length > 0 && before.nodes.every(({ id }) => after.nodes.every((node) => node.id !== id)),
  ],
  [
    /Removed (\d+) containers?(?: and (\d+) volumes?)?\./,
    (course, count) => gone(course).length === Number(count),
  ],
  [/Nothing was left to remove\./, (course) => gone(course).length === 0],
  [/The config is kept\./, ({ after }) => after.recorded && after.hasConfig],
  [/The config was removed too\./, ({ after }) => !after.recorded],
  [/The nodes were kept\./, ({ during, after }) => after.nodes.length === during.nodes.length],
  [/All nodes (?:of \S+ )?are running\./, allIn('running')],
  [/ is stopped\.|All nodes are stopped\./, allIn('exited')],
  [/ is paused\.|All nodes are paused\./, allIn('paused')],
  [/All nodes are unpaused\.|was complete and is kept\./, allIn('running')],
  [/The cluster is deleted\.|No containers or volumes are left\./, ({ after }) => after.nodes.length === 0],
  [/Could not determine whether \S+ is cordoned/, () => true],
  [
    /(\d+) of (\d+) nodes are running;/,
    ({ after: { nodes } }, running, all) =>
      nodes.length === Number(all) &&
      nodes.filter(({ state }) => state === 'running').length === Number(running),
  ],
  [
    /Left: (\d+) containers?(?: and (\d+) volumes?)?\./,
    ({ after }, containers, volumes) =>
      after.nodes.length === Number(containers) && after.volumes.length >= Number(volumes || 0),
  ],
  [
    /Nothing was loaded\./,
    ({ before, after }) =>
      Object.entries(after.loaded).every(([image, nodes]) => nodes <= (before.loaded[image] ?? 0)),
  ],
  [/Already loaded: (\S+)\./, ({ after }, image = '') => after.loaded[image] === inUse(after)],
  [/Some nodes may have (\S+)\./, ({ after }, image = '') => (after.loaded[image] ?? 0) < after.nodes.length],
  [
    /Removed (\d+) node images? and (\d+) node volumes?(.*)/,
    ({ before, after }, images, volumes, rest = '') => {
      const count = ({ images: all, engineVolumes }: Remains): number => all.length + engineVolumes;
      const more = count(before) - count(after) - Number(images) - Number(volumes);
      return more === 0 || (more === 1 && rest.includes('one more removal'));
    },
  ],
  [/ stays cordoned\./, ({ after }) => after.cordoned],
  [/ is not cordoned\./, ({ after }) => !after.cordoned],
  [
    /Uninstalled \S+\.|Nothing was installed\.|\S+ is uninstalled\.|Slipway finished it after the restart\./,
    ({ after }) => after.revisions.length === 0,
  ],
  [/The (?:installation|upgrade|rollback) was already complete\./, deployed],
  [/Rolled back \S+ to revision \d+ /, deployed],
  [/ is unchanged(?: at revision \d+)?\./, ({ before, after }) => same(before.revisions, after.revisions)],
  [/The failed release was kept\./, ({ after }) => after.revisions.at(-1) === 'failed'],
  [/Release \S+ still exists\./, ({ after }) => after.revisions.length > 0],
  // Successes
  [/^(?:Created|Recreated|Cloned|Unpaused|Started) /, allIn('running')],
  [/^Deleted /, isGone],
  [/^Stopped /, allIn('exited')],
  [/^Paused \d/, allIn('paused')],
  [/^Loaded (\S+) into /, ({ after }, image = '') => after.loaded[image] === inUse(after)],
  [/^(?:Installed|Upgraded|Rolled back) /, deployed],
  [/^Uninstalled /, ({ after }) => after.revisions.length === 0],
  [/^Drained /, ({ after }) => after.cordoned],
  // The dialog
  [/has not started\. Nothing changes/, unchanged],
  [/removes everything created so far: containers, volumes and the saved config/, isGone],
  [/removes the containers and volumes created so far.*saved config is kept/, isEmpty],
  [/^Nothing changes until the old nodes are removed/, (course) => unchanged(course) || isEmpty(course)],
  [/already removed\. .*cluster is left without nodes/, isEmpty],
  [/If one of them is gone, it removes the others/, (course) => unchanged(course) || isEmpty(course)],
  [/Started nodes keep running|Resumed nodes keep running/, keeps('running')],
  [/Stopped nodes stay stopped/, keeps('exited')],
  [/Paused nodes resume/, allIn('running')],
  [/Removed resources stay removed/, ({ during, after }) => after.nodes.length <= during.nodes.length],
  [/stays cordoned/, ({ after }) => after.cordoned],
  [
    /already loaded stay/,
    ({ during, after }) => !Object.keys(during.loaded).some((one) => !after.loaded[one]),
  ],
  [/Slipway removes the release and its resources/, ({ after }) => after.revisions.length === 0],
  [/rolls the release back to its previous revision|restores the current revision/, deployed],
];

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @returns the false claims of a text, and a note if it claims nothing about what remains. */
export function untrue(text: string, course: Course): string[] {
  const made = CLAIMS.flatMap(([pattern, isTrue]) => {
    const match = pattern.exec(text);
    return match ? [{ sentence: match[0], holds: isTrue(course, ...match.slice(1)) }] : [];
  });
  if (made.length === 0) return ['says nothing about what remains'];
  return made.filter(({ holds }) => !holds).map(({ sentence }) => `not true: ${sentence}`);
}
