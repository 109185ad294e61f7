import { Ajv, type ErrorObject } from 'ajv';
import { isIP } from 'node:net';
import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  nodeAt,
  parseYaml,
  toValue,
  type Document,
} from '../../core/yaml/index.js';
import { pathText } from '../../core/values/index.js';
import { MAX_CONTROL_PLANES, MAX_WORKERS } from '../../core/security/grammar.js';
import { ABSOLUTE_PATH, COLON, hostPathProblem } from './host-paths.js';
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

/** Something in a config that kind, the engines or Slipway reject. */
export interface ConfigProblem {
  /** `nodes[0].role`; empty for the document itself. */
  path: string;
  line: number;
  column: number;
  problem: string;
}

export interface ParsedConfig {
  /** Without a byte order mark. */
  text: string;
  config: KindConfig;
}

export type ConfigParseResult =
  { parsed: ParsedConfig; problems: [] } | { parsed: undefined; problems: ConfigProblem[] };

/** kind's own examples have a few hundred bytes. */
export const MAX_CONFIG_LENGTH = 100_000;
const MAX_PROBLEMS = 50;

/** Characters that YAML 1.2 does not allow (section 5.1): control characters, surrogates and noncharacters. */
const STRAY_CHARACTER =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

const validate = new Ajv({ allErrors: true, verbose: true, strict: true }).compile<KindConfig>(
  kindConfigSchema,
);

type Locate = (path: (string | number)[], what?: 'key' | 'value') => { line: number; column: number };

/**
 * Parses a kind config and finds everything that kind, the engines or Slipway reject.
 * @param name cluster name. The config may omit it, but must not contain another.
 * @param reserved the data folder of Slipway, which no node may mount.
 */
export function parseKindConfig(given: string, name?: string, reserved?: string): ConfigParseResult {
  // Windows editors add a byte order mark.
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
            ? 'contains more than one document; a config is a single document'
            : `is not valid YAML: ${message}`;
        return { path: '', line, column: col, problem };
      }),
    );
  }
  const value = toValue(document);
  const locate: Locate = (path, what = 'value') => position(document, lines, path, what);
  if (!validate(value)) {
    return failed((validate.errors ?? []).slice(0, MAX_PROBLEMS).map((error) => explain(error, locate)));
  }
  const problems = findContradictions(value, locate, reserved);
  if (name !== undefined && value.name !== undefined && value.name !== name) {
    problems.push({
      path: 'name',
      ...locate(['name']),
      problem: `is ${quote(value.name)}, but the cluster is named ${quote(name)}; use the same name, or omit it`,
    });
  }
  return problems.length > 0 ? failed(problems) : { parsed: { text, config: value }, problems: [] };
}

/** Rules that a JSON Schema cannot express. */
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
    add(['nodes'], 'has no control plane; at least one node must have the role control-plane');
  }
  if (controlPlanes > MAX_CONTROL_PLANES) {
    add(['nodes'], `has ${controlPlanes} control planes; the maximum is ${MAX_CONTROL_PLANES}`);
  }
  if (workers > MAX_WORKERS) add(['nodes'], `has ${workers} workers; the maximum is ${MAX_WORKERS}`);
  const checkAddress = (path: (string | number)[], address = ''): void => {
    if (address !== '' && isIP(address) === 0) add(path, `${quote(address)} is not an IP address`);
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
  return problems;
}

/** kind's rules: one subnet of the right family, or one of each family for dual-stack. */
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
      return near ? `is an unknown field; did you mean ${near}?` : 'is an unknown field';
    }
    case 'required':
      return `must have ${String(params['missingProperty'])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as string[]).filter((value) => value !== '').join(', ')}`;
    case 'const':
      return `must be ${String(params['allowedValue'])}`;
    case 'type':
      if (error.data === null && error.instancePath.endsWith('/hostPath')) {
        return `${ABSOLUTE_PATH}: it is null (~ and an empty value are null in YAML)`;
      }
      return `must be ${article(String(params['type']))}`;
    case 'pattern':
      return 'must be an image reference, such as docker.io/kindest/node:v1.34.4';
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

/** The position of a value or its key; of the nearest parent if it is missing. */
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

/** The key node: the value may begin lines below it. */
function keyAt(document: Document.Parsed, path: (string | number)[]): unknown {
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent)) return undefined;
  const name = String(path.at(-1));
  return parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key;
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

function failed(problems: ConfigProblem[]): ConfigParseResult {
  return { parsed: undefined, problems: problems.slice(0, MAX_PROBLEMS) };
}
