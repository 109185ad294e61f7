import { Ajv, type ErrorObject } from 'ajv';
import { isIP } from 'node:net';
import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseYaml,
  toValue,
  type Document,
} from '../../core/yaml/index.js';
import { MAX_CONTROL_PLANES, MAX_WORKERS } from '../../core/security/grammar.js';
import { ABSOLUTE_PATH, hostPathProblem } from './host-paths.js';
import {
  countRoles,
  mountPoint,
  nodesOf,
  portsClash,
  toPath,
  wantedPorts,
  type KindConfig,
} from './kind-config.js';
import { kindConfigSchema } from './kind-config.schema.js';
import { reservedPathProblem } from './reserved-paths.js';

/** A problem of a config that kind, the engines or Slipway reject: its place, and how to fix it. */
export interface ConfigProblem {
  /** `nodes[0].role`; empty for the document itself. */
  path: string;
  line: number;
  column: number;
  problem: string;
}

export interface ParsedConfig {
  /** As it was given, less a byte order mark. */
  text: string;
  config: KindConfig;
}

export type ConfigParseResult =
  { parsed: ParsedConfig; problems: [] } | { parsed: undefined; problems: ConfigProblem[] };

/** Longest config that is read; kind's own examples have a few hundred bytes. */
export const MAX_CONFIG_LENGTH = 100_000;
const MAX_PROBLEMS = 50;

/** Control characters, halves of a surrogate pair, and what Unicode never gives a meaning. */
const STRAY_CHARACTER =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

const validate = new Ajv({ allErrors: true, verbose: true, strict: true }).compile<KindConfig>(
  kindConfigSchema,
);

type Locate = (path: (string | number)[], what?: 'key' | 'value') => { line: number; column: number };

/**
 * Reads a kind config, and finds everything in it that kind, the engines or Slipway reject.
 * @param name what the cluster is called; the config may leave it out, but not say another.
 * @param reserved the data folder of Slipway, which no node may have.
 */
export function parseKindConfig(given: string, name?: string, reserved?: string): ConfigParseResult {
  // Editors of Windows put a byte order mark before the text, which says nothing in UTF-8.
  const text = given.startsWith('\uFEFF') ? given.slice(1) : given;
  if (text.length > MAX_CONFIG_LENGTH) {
    return failed([
      { path: '', line: 1, column: 1, problem: `is longer than ${MAX_CONFIG_LENGTH} characters` },
    ]);
  }
  const stray = STRAY_CHARACTER.exec(text);
  if (stray) return failed([strayCharacter(text, stray)]);
  const lines = new LineCounter();
  const document = parseYaml(text, { lines });
  if (document.errors.length > 0) {
    return failed(
      document.errors.slice(0, MAX_PROBLEMS).map(({ code, message, pos }) => {
        const { line, col } = lines.linePos(pos[0]);
        const problem =
          code === 'MULTIPLE_DOCS'
            ? 'holds more than one document; a config is one, without --- inside'
            : `is not valid YAML: ${message}`;
        return { path: '', line, column: col, problem };
      }),
    );
  }
  const value = toValue(document);
  const locate: Locate = (path, what = 'value') => position(document, lines, path, what);
  if (!validate(value)) {
    const telling = (validate.errors ?? []).filter(isTelling).slice(0, MAX_PROBLEMS);
    return failed(telling.map((error) => explain(error, locate)));
  }
  const problems = findContradictions(value, locate, reserved);
  if (name !== undefined && value.name !== undefined && value.name !== name) {
    problems.push({
      path: 'name',
      ...locate(['name']),
      problem: `is ${quote(value.name)}, but the cluster is called ${quote(name)}; make them equal, or leave it out`,
    });
  }
  return problems.length > 0 ? failed(problems) : { parsed: { text, config: value }, problems: [] };
}

/** Rules of kind that relate several fields. */
function findContradictions(
  config: KindConfig,
  locate: Locate,
  reserved: string | undefined,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const add = (path: (string | number)[], problem: string): void => {
    problems.push({ path: pathText(path), ...locate(path), problem });
  };
  const { controlPlanes, workers } = countRoles(config);
  if (controlPlanes === 0) {
    add(['nodes'], 'has no control plane: give at least one node the role control-plane');
  }
  if (controlPlanes > MAX_CONTROL_PLANES) {
    add(['nodes'], `has ${controlPlanes} control planes; at most ${MAX_CONTROL_PLANES} are possible`);
  }
  if (workers > MAX_WORKERS) add(['nodes'], `has ${workers} workers; at most ${MAX_WORKERS} are possible`);
  const address = config.networking?.apiServerAddress;
  if (address !== undefined && address !== '' && isIP(address) === 0) {
    add(['networking', 'apiServerAddress'], `${quote(address)} is not an IP address`);
  }
  for (const field of ['podSubnet', 'serviceSubnet'] as const) {
    const problem = subnetProblem(config.networking?.[field] ?? '', config.networking?.ipFamily ?? 'ipv4');
    if (problem) add(['networking', field], problem);
  }
  for (const [nodeIndex, node] of nodesOf(config).entries()) {
    for (const [index, mapping] of (node.extraPortMappings ?? []).entries()) {
      if (
        mapping.listenAddress !== undefined &&
        mapping.listenAddress !== '' &&
        isIP(mapping.listenAddress) === 0
      ) {
        add(
          ['nodes', nodeIndex, 'extraPortMappings', index, 'listenAddress'],
          `${quote(mapping.listenAddress)} is not an IP address`,
        );
      }
    }
  }
  for (const { path, problem } of badMountPaths(config, reserved)) add(path, problem);
  for (const { nodeIndex, index, first } of repeatedMounts(config)) {
    add(
      ['nodes', nodeIndex, 'extraMounts', index, 'containerPath'],
      `is where nodes[${nodeIndex}].extraMounts[${first}] is mounted already`,
    );
  }
  for (const { where, problem } of portClashes(config)) add(toPath(where), problem);
  return problems;
}

/** kind's rules for subnets: one of the right family, or with both families one of each. */
function subnetProblem(text: string, family: string): string | undefined {
  if (text === '') return undefined;
  const families = text.split(',').map((subnet) => {
    const match = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(subnet);
    const version = match?.[1] ? isIP(match[1]) : 0;
    return version !== 0 && Number(match?.[2]) <= (version === 4 ? 32 : 128) ? version : 0;
  });
  if (families.includes(0)) return `${quote(text)} is not a subnet such as 10.244.0.0/16`;
  if (family === 'dual') {
    return families.length > 2 || new Set(families).size !== families.length
      ? 'must be one subnet, or one of each family'
      : undefined;
  }
  if (families.length > 1) return 'may be only one subnet unless ipFamily is dual';
  if (families[0] !== (family === 'ipv6' ? 6 : 4)) return `must be of the family ${family}`;
  return undefined;
}

/** Paths of mounts that engines or Slipway refuse, and places that a node cannot do without. */
function badMountPaths(
  config: KindConfig,
  reserved: string | undefined,
): { path: (string | number)[]; problem: string }[] {
  return nodesOf(config).flatMap(({ extraMounts = [] }, nodeIndex) =>
    extraMounts.flatMap(({ hostPath = '', containerPath = '' }, index) =>
      Object.entries({
        hostPath: hostPathProblem(hostPath, reserved),
        containerPath: containerPathProblem(containerPath),
      }).flatMap(([field, problem]) =>
        problem ? [{ path: ['nodes', nodeIndex, 'extraMounts', index, field], problem }] : [],
      ),
    ),
  );
}

function containerPathProblem(path: string): string | undefined {
  if (path.includes(':')) return 'has a colon, which engines take for the end of a path';
  return path.startsWith('/') ? reservedPathProblem(path) : 'must be an absolute path, such as /data';
}

/** Two mounts at one place of a node: the engines start no such container. */
function repeatedMounts(config: KindConfig): { nodeIndex: number; index: number; first: number }[] {
  return nodesOf(config).flatMap(({ extraMounts = [] }, nodeIndex) => {
    const places = extraMounts.map(({ containerPath }) => mountPoint(containerPath));
    return places.flatMap((place, index) => {
      const first = places.indexOf(place);
      return place !== undefined && first < index ? [{ nodeIndex, index, first }] : [];
    });
  });
}

/** The same address, port and protocol twice, also behind the address of all interfaces. */
function portClashes(config: KindConfig): { where: string; problem: string }[] {
  const clashes: { where: string; problem: string }[] = [];
  const ports = wantedPorts(config);
  for (const [index, port] of ports.entries()) {
    const earlier = ports.slice(0, index).find((other) => portsClash(other, port));
    if (earlier) {
      clashes.push({
        where: port.where,
        problem: `host port ${port.port} is given twice; ${earlier.where} has it already`,
      });
    }
  }
  return clashes;
}

/** Errors of a `required` or an `enum` within are enough; the enclosing ones say nothing more. */
function isTelling(error: ErrorObject): boolean {
  return error.keyword !== 'if' && error.keyword !== 'anyOf';
}

function explain(error: ErrorObject, locate: Locate): ConfigProblem {
  const parent = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const params = error.params as Record<string, unknown>;
  const unknownKey =
    error.keyword === 'additionalProperties' ? String(params['additionalProperty']) : undefined;
  const path = unknownKey === undefined ? parent : [...parent, unknownKey];
  const place = locate(path, unknownKey === undefined ? 'value' : 'key');
  return { path: pathText(path), ...place, problem: sentence(error, params, unknownKey) };
}

function sentence(
  error: ErrorObject,
  params: Record<string, unknown>,
  unknownKey: string | undefined,
): string {
  switch (error.keyword) {
    case 'additionalProperties': {
      const known = Object.keys(
        (error.parentSchema as { properties?: object } | undefined)?.properties ?? {},
      );
      const near = known.find((key) => key.toLowerCase() === unknownKey?.toLowerCase());
      return near
        ? `is not a field that kind knows; it is written ${near}`
        : 'is not a field that kind knows';
    }
    case 'required':
      return `lacks ${String(params['missingProperty'])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).filter((value) => value !== '').join(', ')}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}`;
    case 'type':
      if (error.data === null && error.instancePath.endsWith('/hostPath')) {
        return `${ABSOLUTE_PATH}: it is null, as ~ or no value are in YAML`;
      }
      return `must be ${article(String(params['type']))}`;
    case 'pattern':
      return 'is not an image, such as docker.io/kindest/node:v1.34.4';
    default:
      return error.message ?? 'is not valid';
  }
}

function article(type: string): string {
  const words: Record<string, string> = {
    array: 'a list',
    object: 'a map',
    integer: 'a whole number',
    boolean: 'true or false',
    string: 'text',
  };
  return words[type] ?? type;
}

/** Where a value or its key stands; the nearest enclosing one where it is missing. */
function position(
  document: Document.Parsed,
  lines: LineCounter,
  path: (string | number)[],
  what: 'key' | 'value',
): { line: number; column: number } {
  for (let length = path.length; length >= 0; length -= 1) {
    const inner = path.slice(0, length);
    const node = length === path.length && what === 'key' ? keyAt(document, inner) : nodeAt(document, inner);
    if (isNode(node) && node.range) {
      const { line, col } = lines.linePos(node.range[0]);
      return { line, column: col };
    }
  }
  return { line: 1, column: 1 };
}

function nodeAt(document: Document.Parsed, path: (string | number)[]): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

/** The key itself: its value may begin lines below it. */
function keyAt(document: Document.Parsed, path: (string | number)[]): unknown {
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent)) return undefined;
  const name = String(path.at(-1));
  return parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key;
}

/** What no YAML may hold (YAML 1.2, 5.1): kind's parser ends at the first of these. */
function strayCharacter(text: string, { 0: character, index }: RegExpExecArray): ConfigProblem {
  const before = text.slice(0, index);
  const code = character.codePointAt(0) ?? 0;
  return {
    path: '',
    line: before.split('\n').length,
    column: index - before.lastIndexOf('\n'),
    problem: `holds the character U+${code.toString(16).toUpperCase().padStart(4, '0')}, which no YAML may; take it out`,
  };
}

function pathText(path: (string | number)[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function quote(text: string): string {
  return `"${text.slice(0, 60)}"`;
}

function failed(problems: ConfigProblem[]): ConfigParseResult {
  return { parsed: undefined, problems: problems.slice(0, MAX_PROBLEMS) };
}
