import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../core/values/index.js';
import { nodeImageTagOf, nodesOf, type KindConfig, type KindNode } from './kind-config.js';

/** Changes by another config, one clause each: `worker gets label disk=ssd`. */
export function configChanges(before: KindConfig, after: KindConfig): string[] {
  const [old, wanted] = [namedNodes(before), namedNodes(after)];
  return [
    ...[...old.keys()].filter((name) => !wanted.has(name)).map((name) => `removes ${name}`),
    ...[...wanted.keys()].filter((name) => !old.has(name)).map((name) => `adds ${name}`),
    ...[...wanted].flatMap(([name, node]) => {
      const earlier = old.get(name);
      return earlier ? nodeChanges(name, factsOf(earlier), factsOf(node)) : [];
    }),
    ...settingChanges(settingsOf(before), settingsOf(after)),
  ];
}

/** New values of labels; null removes one. */
export type LabelChanges = Record<string, string | null>;

/**
 * Labels that another config changes, by node as kind names it, without the name of the cluster.
 * @returns undefined if it changes no labels, or more than labels: Kubernetes can change only them on a running node
 */
export function labelChanges(before: KindConfig, after: KindConfig): Map<string, LabelChanges> | undefined {
  if (!isDeepStrictEqual(withoutLabels(before), withoutLabels(after))) return undefined;
  const old = namedNodes(before);
  const changes = new Map<string, LabelChanges>();
  for (const [name, { labels = {} }] of namedNodes(after)) {
    const earlier = old.get(name)?.labels ?? {};
    const changed: [string, string | null][] = [
      ...Object.entries(labels).filter(([key, value]) => earlier[key] !== value),
      ...Object.keys(earlier)
        .filter((key) => !Object.hasOwn(labels, key))
        .map((key): [string, null] => [key, null]),
    ];
    if (changed.length > 0) changes.set(name, Object.fromEntries(changed));
  }
  return changes.size > 0 ? changes : undefined;
}

function withoutLabels(config: KindConfig): KindConfig {
  return { ...config, nodes: nodesOf(config).map(({ labels: _, ...node }) => node) };
}

/** By the names that kind gives them, without the name of the cluster. */
function namedNodes(config: KindConfig): Map<string, KindNode> {
  const counts = new Map<string, number>();
  return new Map(
    nodesOf(config).map((node) => {
      const role = node.role ?? 'control-plane';
      const count = (counts.get(role) ?? 0) + 1;
      counts.set(role, count);
      return [count === 1 ? role : `${role}${count}`, node];
    }),
  );
}

function factsOf({ role: _, image, labels, extraMounts, extraPortMappings, ...others }: KindNode): string[] {
  return [
    ...(image === undefined ? [] : [`image ${nodeImageTagOf(image)?.split('@')[0] ?? image}`]),
    ...Object.entries(labels ?? {}).map(([key, value]) => `label ${key}=${value}`),
    ...(extraPortMappings ?? []).map(
      ({ hostPort, containerPort, listenAddress = '', protocol = 'TCP' }) =>
        `port ${listenAddress === '' ? '' : `${listenAddress}:`}${hostPort ?? 'any'} → ${containerPort ?? ''}/${protocol}`,
    ),
    ...(extraMounts ?? []).map(
      ({ hostPath, containerPath, readOnly }) =>
        `mount ${hostPath ?? ''} at ${containerPath ?? ''}${readOnly ? ', read-only' : ''}`,
    ),
    ...Object.entries(others).map(([key, value]) => `${key} ${JSON.stringify(value)}`),
  ];
}

function nodeChanges(name: string, before: readonly string[], after: readonly string[]): string[] {
  const gained = after.filter((fact) => !before.includes(fact));
  // The new image or value says enough, and patches are long.
  const isReplaced = (fact: string): boolean =>
    fact.startsWith('image ') ||
    gained.some((other) => other.startsWith(/^label [^=]+=/.exec(fact)?.[0] ?? ' '));
  const lost = before.filter((fact) => !after.includes(fact) && !isReplaced(fact));
  const short = (fact: string): string => (/^kubeadm/.test(fact) ? (fact.split(' ')[0] ?? fact) : fact);
  return [
    ...gained.map((fact) => `${name} gets ${short(fact)}`),
    ...lost.map((fact) => `${name} loses ${short(fact)}`),
  ];
}

/** Values by path, such as `networking.podSubnet`. */
function settingsOf({ nodes: _, name: _name, ...config }: KindConfig): Map<string, string> {
  const values = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    if (isRecord(value)) for (const [key, inner] of Object.entries(value)) add(`${path}.${key}`, inner);
    else values.set(path, typeof value === 'string' ? value : JSON.stringify(value));
  };
  for (const [key, value] of Object.entries(config)) add(key, value);
  return values;
}

function settingChanges(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [old, value] = [before.get(path), after.get(path)];
    if (old === value) return [];
    if (value === undefined) return [`removes ${path}`];
    return [/Patches/.test(path) ? `changes ${path}` : `sets ${path} to ${value}`];
  });
}
