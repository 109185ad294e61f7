import { BlockList, isIP } from 'node:net';
import { LineCounter, type Node, parseGoYaml } from '../../core/yaml/index.js';
import { pathText } from '../../core/values/index.js';
import { MAX_CONTROL_PLANES, MAX_WORKERS } from '../../core/security/grammar.js';
import { AS_TEXT, KindConfigDecoder } from './decode-kind-config.js';
import { COLON, hostPathProblem } from './host-paths.js';
import {
  countRoles,
  ipv6Addresses,
  isAddress,
  mountPoint,
  nodesOf,
  portsClash,
  toPath,
  wantedPorts,
  type KindConfig,
} from './kind-config.js';
import { kindConfigSchema } from './kind-config.schema.js';
import { reservedPathProblem } from './reserved-paths.js';
import { schemaProblems, withoutProblems } from './schema-problems.js';

/** Something in a config that kind, the engines or Slipway reject. */
export interface ConfigProblem {
  /** `nodes[0].role`; empty for the document itself. */
  path: string;
  line: number;
  column: number;
  problem: string;
}

export interface ParsedConfig {
  /** As given, without a byte order mark. */
  text: string;
  config: KindConfig;
  /** Parts of the text that kind ignores. */
  warnings: string[];
  /** Where the values are that checks of the host name, by path. */
  places: Record<string, ConfigPlace>;
}

export type ConfigPlace = Pick<ConfigProblem, 'line' | 'column'>;

export type ConfigParseResult =
  { parsed: ParsedConfig; problems: [] } | { parsed: undefined; problems: ConfigProblem[] };

/** kind's own examples have a few hundred bytes. */
export const MAX_CONFIG_LENGTH = 100_000;
const MAX_PROBLEMS = 50;

/** Characters that YAML 1.2 does not allow (section 5.1): control characters, surrogates and noncharacters. */
const STRAY_CHARACTER =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

type Add = (path: (string | number)[], problem: string) => void;

/**
 * Parses a kind config as kind does, and finds everything that kind, the engines or Slipway reject.
 * @param name cluster name. The config may omit it, but must not contain another.
 * @param reserved the data folder of Slipway, which no node may mount.
 */
export function parseKindConfig(original: string, name?: string, reserved?: string): ConfigParseResult {
  // Windows editors add a byte order mark.
  const text = original.startsWith('\uFEFF') ? original.slice(1) : original;
  if (text.length > MAX_CONFIG_LENGTH) {
    return failed([
      { path: '', line: 1, column: 1, problem: `is longer than ${MAX_CONFIG_LENGTH} characters` },
    ]);
  }
  const stray = STRAY_CHARACTER.exec(text);
  if (stray) return failed([strayCharacter(text, stray)]);
  const lines = new LineCounter();
  const { document, errors, next } = parseGoYaml(text, { ...AS_TEXT, lines });
  const at = (offset: number): ConfigPlace => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (errors.length > 0) {
    return failed(
      errors.slice(0, MAX_PROBLEMS).map(({ message, pos }) => ({
        path: '',
        ...at(pos[0]),
        problem: `is not valid YAML: ${message}`,
      })),
    );
  }
  const decoder = new KindConfigDecoder(document, kindConfigSchema);
  const found = schemaProblems(decoder.value);
  const problems: ConfigProblem[] = [
    ...decoder.problems.map(({ path, node, problem }) => ({
      path: pathText([...path]),
      ...at(offsetOf(node)),
      problem,
    })),
    ...found.map(({ cause, atKey, problem: given, ...rest }) => {
      const isEmpty = cause.length > rest.path.length && decoder.has(cause);
      const path = isEmpty ? cause : rest.path;
      const problem = isEmpty ? 'has no value; ~ and an empty value are null in YAML' : given;
      const { key, value } = decoder.placeOf(path) ?? {};
      return { path: pathText(path), ...at(offsetOf((atKey ? key : value) ?? value)), problem };
    }),
  ];
  const config = withoutProblems(decoder.value, found);
  const add: Add = (path, problem) => {
    // A value with a problem is not checked further.
    if (found.some(({ cause }) => cause.every((part, index) => part === path[index]))) return;
    problems.push({ path: pathText(path), ...at(offsetOf(decoder.placeOf(path)?.value)), problem });
  };
  findContradictions(config, add, reserved);
  if (name !== undefined && config.name !== undefined && config.name !== name) {
    add(
      ['name'],
      `is ${quote(config.name)}, but the cluster is named ${quote(name)}; use the same name, or omit it`,
    );
  }
  if (problems.length > 0) return failed(problems);
  const warnings =
    next === undefined
      ? []
      : [
          `kind reads only the first document. It ignores the one that begins at line ${at(next.range[0]).line}.`,
        ];
  const named = [...wantedPorts(config), ...ipv6Addresses(config)].map(({ where }) => where);
  const images = nodesOf(config).map((_, index) => `nodes[${index}].image`);
  const places = Object.fromEntries(
    [...named, ...images].map((where) => [where, at(offsetOf(decoder.placeOf(toPath(where))?.value))]),
  );
  return { parsed: { text, config, warnings, places }, problems: [] };
}

/** Rules that a JSON Schema cannot express. */
function findContradictions(config: KindConfig, add: Add, reserved: string | undefined): void {
  const { controlPlanes, workers } = countRoles(config);
  if (controlPlanes === 0) {
    add(['nodes'], 'has no control plane; at least one node must have the role control-plane');
  }
  if (controlPlanes > MAX_CONTROL_PLANES) {
    add(['nodes'], `has ${controlPlanes} control planes; the maximum is ${MAX_CONTROL_PLANES}`);
  }
  if (workers > MAX_WORKERS) add(['nodes'], `has ${workers} workers; the maximum is ${MAX_WORKERS}`);
  const checkAddress = (path: (string | number)[], address = ''): void => {
    if (address !== '' && !isAddress(address)) add(path, `${quote(address)} is not an IP address`);
  };
  checkAddress(['networking', 'apiServerAddress'], config.networking?.apiServerAddress);
  for (const field of ['podSubnet', 'serviceSubnet'] as const) {
    const problem = subnetProblem(config.networking?.[field] ?? '', config.networking?.ipFamily ?? 'ipv4');
    if (problem) add(['networking', field], problem);
  }
  for (const [nodeIndex, node] of nodesOf(config).entries()) {
    for (const [index, { listenAddress }] of (node.extraPortMappings ?? []).entries()) {
      checkAddress(['nodes', nodeIndex, 'extraPortMappings', index, 'listenAddress'], listenAddress);
    }
    const mountPoints = (node.extraMounts ?? []).map(({ containerPath }) => mountPoint(containerPath));
    for (const [index, { hostPath = '', containerPath = '' }] of (node.extraMounts ?? []).entries()) {
      const path = ['nodes', nodeIndex, 'extraMounts', index];
      const hostProblem = hostPathProblem(hostPath, reserved);
      if (hostProblem) add([...path, 'hostPath'], hostProblem);
      const containerProblem = containerPathProblem(containerPath);
      if (containerProblem) add([...path, 'containerPath'], containerProblem);
      const first = mountPoints.indexOf(mountPoints[index]);
      if (mountPoints[index] !== undefined && first < index) {
        add([...path, 'containerPath'], `is already used by nodes[${nodeIndex}].extraMounts[${first}]`);
      }
    }
  }
  const ports = wantedPorts(config);
  for (const [index, port] of ports.entries()) {
    const earlier = ports.slice(0, index).find((other) => portsClash(other, port));
    if (earlier) add(toPath(port.where), `host port ${port.port} is already used by ${earlier.where}`);
  }
}

function offsetOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0;
}

/** Go counts these as IPv4, unless the mask of the subnet takes the prefix away. */
const MAPPED = new BlockList();
MAPPED.addSubnet('::ffff:0:0', 96, 'ipv6');

/** kind's rules: one subnet of the right family, or one of each family for dual-stack. */
function subnetProblem(text: string, family: string): string | undefined {
  if (text === '') return undefined;
  const families = text.split(',').map((subnet) => {
    const match = /^([0-9a-f.:]+)\/(\d{1,9})$/i.exec(subnet);
    const [, address = '', bits] = match ?? [];
    const version = isIP(address);
    if (version === 0 || Number(bits) > (version === 4 ? 32 : 128)) return 0;
    return version === 6 && Number(bits) >= 96 && MAPPED.check(address, 'ipv6') ? 4 : version;
  });
  if (families.includes(0)) return `${quote(text)} is not a subnet such as 10.244.0.0/16`;
  if (family === 'dual') {
    return families.length > 2 || new Set(families).size !== families.length
      ? 'must be one subnet, or one of each IP family'
      : undefined;
  }
  if (families.length > 1) return 'must be a single subnet unless ipFamily is dual';
  if (families[0] !== (family === 'ipv6' ? 6 : 4)) return `must be of the IP family ${family}`;
  return undefined;
}

function containerPathProblem(path: string): string | undefined {
  if (path.includes(':')) return COLON;
  return path.startsWith('/') ? reservedPathProblem(path) : 'must be an absolute path, such as /data';
}

function strayCharacter(text: string, { 0: character, index }: RegExpExecArray): ConfigProblem {
  const before = text.slice(0, index);
  const code = character.codePointAt(0) ?? 0;
  return {
    path: '',
    line: before.split('\n').length,
    column: index - before.lastIndexOf('\n'),
    problem: `contains the character U+${code.toString(16).toUpperCase().padStart(4, '0')}, which is not allowed in YAML`,
  };
}

function quote(text: string): string {
  return `"${text.slice(0, 60)}"`;
}

function inText(one: ConfigProblem, other: ConfigProblem): number {
  return one.line - other.line || one.column - other.column;
}

function failed(problems: ConfigProblem[]): ConfigParseResult {
  return { parsed: undefined, problems: problems.toSorted(inText).slice(0, MAX_PROBLEMS) };
}
