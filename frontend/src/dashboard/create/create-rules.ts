import type { ApiProblem, PlacedProblem } from '../../shared/api/api-problem';
import type { CreateClusterDto } from '../../shared/api/api-types';
import type { CreateDraft } from './create-draft';

/**
 * The server's own rules, so that most mistakes are told before anything is sent. A spec compares them with
 * the API document; the server has the last word anyway.
 */
export const CLUSTER_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
export const NODE_IMAGE_TAG = /^v\d{1,3}\.\d{1,3}\.\d{1,3}(@sha256:[0-9a-f]{64})?$/;
export const MAX_WORKERS = 20;
export const MAX_CONTROL_PLANES = 5;

/** One entry that needs a change. */
export interface EntryProblem {
  /** Field of the request, such as `port_mappings[0].host_port`; empty where it is none of them. */
  field: string;
  /** What the form calls it. */
  label: string;
  /** As it was typed. */
  value: string;
  /** What is wrong, as the rest of a sentence that begins with the value. */
  problem: string;
  /** What would be right. */
  hint: string;
  line?: number | null;
}

const LABELS: readonly [RegExp, string][] = [
  [/^name$/, 'Name'],
  [/^workers$/, 'Workers'],
  [/^node_image_tag$/, 'Node image tag'],
  [/^runtime$/, 'Engine'],
  [/^control_planes$/, 'Control planes'],
  [/^port_mappings/, 'Ports'],
  [/^mounts/, 'Mounts'],
  [/^addons/, 'Addons'],
  [/^keep_on_failure$/, 'Keep the nodes'],
];

/** Everything that is wrong with the form, in the order of its fields. */
export function problemsOf(draft: CreateDraft): EntryProblem[] {
  const problems: EntryProblem[] = [];
  const add = (field: string, value: string, problem: string, hint: string): void => {
    problems.push({ field, label: labelOf(field), value, problem, hint });
  };
  const name = draft.name.trim();
  if (!CLUSTER_NAME.test(name)) {
    add(
      'name',
      name,
      nameComplaint(name),
      'Small letters, digits and hyphens, up to 40, such as staging-eu.',
    );
  }
  const inConfig = draft.mode === 'config';
  if (!inConfig && !isWhole(draft.workers, 0, MAX_WORKERS)) {
    add(
      'workers',
      draft.workers,
      numberComplaint(draft.workers, 0, MAX_WORKERS),
      `Any whole number from 0 to ${MAX_WORKERS}.`,
    );
  }
  const tag = draft.tag.trim();
  if (!(inConfig && tag === '') && !NODE_IMAGE_TAG.test(tag)) {
    add(
      'node_image_tag',
      tag,
      tag === '' ? 'is missing.' : 'is not a full tag.',
      'v, then three numbers, such as v1.34.4.',
    );
  }
  if (inConfig) {
    if (draft.config.trim() === '') {
      add('config', '', 'is empty.', 'Paste a kind config of version v1alpha4.');
    }
    return problems;
  }
  if (!isWhole(draft.controlPlanes, 1, MAX_CONTROL_PLANES)) {
    add(
      'control_planes',
      draft.controlPlanes,
      numberComplaint(draft.controlPlanes, 1, MAX_CONTROL_PLANES),
      `Any whole number from 1 to ${MAX_CONTROL_PLANES}.`,
    );
  }
  const PORT_HINT = 'A whole number from 1 to 65535.';
  draft.ports.forEach(({ hostPort, containerPort, listenAddress, protocol }, index) => {
    const field = `port_mappings[${index}]`;
    if (!isAddress(listenAddress.trim())) {
      add(
        `${field}.listen_address`,
        listenAddress,
        'is not an IP address.',
        'Such as 127.0.0.1, for this machine alone.',
      );
    }
    if (!isWhole(hostPort, 1, 65535)) {
      add(`${field}.host_port`, hostPort, numberComplaint(hostPort, 1, 65535), PORT_HINT);
    } else if (
      draft.ports
        .slice(0, index)
        .some(
          (other) =>
            Number(other.hostPort) === Number(hostPort) &&
            other.protocol === protocol &&
            addressesMeet(other.listenAddress.trim(), listenAddress.trim()),
        )
    ) {
      add(`${field}.host_port`, hostPort, 'is given twice.', 'Each address and host port once.');
    }
    if (!isWhole(containerPort, 1, 65535)) {
      add(`${field}.container_port`, containerPort, numberComplaint(containerPort, 1, 65535), PORT_HINT);
    }
  });
  draft.mounts.forEach(({ hostPath, containerPath }, index) => {
    const field = `mounts[${index}]`;
    for (const [part, path] of [
      ['host_path', hostPath],
      ['container_path', containerPath],
    ] as const) {
      if (!path.startsWith('/')) {
        add(
          `${field}.${part}`,
          path,
          path === '' ? 'is missing.' : 'is not an absolute path.',
          'It begins with /, such as /home/me/code.',
        );
      } else if (path.includes(':')) {
        add(`${field}.${part}`, path, 'has a colon.', 'Engines take a colon for the end of a path.');
      } else if (
        part === 'container_path' &&
        draft.mounts.slice(0, index).some((other) => samePlace(other.containerPath, path))
      ) {
        add(`${field}.${part}`, path, 'is given twice.', 'Each place in the nodes once.');
      }
    }
  });
  return problems;
}

/** The body that is sent. Call it on a draft without problems, or for the preview of one. */
export function requestOf(draft: CreateDraft): Partial<CreateClusterDto> {
  const request: Partial<CreateClusterDto> = { name: draft.name.trim() };
  if (draft.runtime !== '') request.runtime = draft.runtime;
  if (draft.keepOnFailure) request.keep_on_failure = true;
  const tag = draft.tag.trim();
  if (tag !== '') request.node_image_tag = tag;
  if (draft.addons.length > 0) {
    request.addons = draft.addons.map(({ name, values }) => ({
      addon: name,
      ...(values === null ? {} : { values }),
    }));
  }
  if (draft.mode === 'config') return { ...request, config: draft.config };
  request.workers = Number(draft.workers);
  if (Number(draft.controlPlanes) !== 1) request.control_planes = Number(draft.controlPlanes);
  if (draft.ports.length > 0) {
    request.port_mappings = draft.ports.map(({ hostPort, containerPort, listenAddress, protocol }) => ({
      host_port: Number(hostPort),
      container_port: Number(containerPort),
      listen_address: listenAddress.trim(),
      protocol,
    }));
  }
  if (draft.mounts.length > 0) {
    request.mounts = draft.mounts.map(({ hostPath, containerPath, readOnly }) => ({
      host_path: hostPath,
      container_path: containerPath,
      read_only: readOnly,
    }));
  }
  return request;
}

/** What the server refuses, in the form's own words. */
export function problemsOfServer(problem: ApiProblem, draft: CreateDraft): EntryProblem[] {
  if (problem.code === 'config_refused' && Array.isArray(problem.details)) {
    return (
      problem.details as { path?: string; problem: string; line?: number | null; column?: number | null }[]
    ).map((entry) => placed({ ...entry, field: entry.path ?? '' }, draft));
  }
  if (problem.code === 'values_refused' && Array.isArray(problem.details)) {
    return (problem.details as PlacedProblem[]).map((entry) => placed(entry, draft));
  }
  if (problem.fields.length > 0) return problem.fields.map((entry) => placed(entry, draft));
  const field =
    problem.code === 'cluster_exists' || problem.code === 'cluster_busy'
      ? 'name'
      : problem.code === 'runtime_unavailable'
        ? 'runtime'
        : problem.code === 'addon_not_found'
          ? 'addons'
          : '';
  return [{ field, label: labelOf(field), value: '', problem: problem.message, hint: '' }];
}

/** A problem of `POST /clusters/check` or of a 400 or 422, told as one of the form. */
export function placed({ field, problem, hint, line }: PlacedProblem, draft: CreateDraft): EntryProblem {
  const addon = draft.addons[Number(/^addons\[(\d+)\]/.exec(field)?.[1])]?.name;
  if (addon !== undefined) {
    const label = line ? `${addon}, line ${line}` : addon;
    return { field, label, value: '', problem: ended(problem), hint: hint ?? '', line };
  }
  const label = labelOf(field);
  if (draft.mode === 'config' && label === CONFIG_LABEL) {
    const at = field === '' || field === 'config' ? '' : `${field} `;
    return {
      field: 'config',
      label: line ? `Line ${line}` : CONFIG_LABEL,
      value: '',
      problem: `${at}${ended(problem)}`,
      hint: hint ?? '',
      line,
    };
  }
  return { field, label, value: valueOf(field, draft), problem: ended(problem), hint: hint ?? '' };
}

const CONFIG_LABEL = 'Config';
const PART_WORDS: Readonly<Record<string, string>> = {
  listen_address: ', address',
  host_port: ', here',
  host_path: ', here',
  container_port: ', in the node',
  container_path: ', in the nodes',
};

export function labelOf(field: string): string {
  if (field === '') return 'Slipway';
  const [, list, index = '', part = ''] = /^(port_mappings|mounts)\[(\d+)\]\.?(\w*)$/.exec(field) ?? [];
  if (list !== undefined) {
    const row = `${list === 'mounts' ? 'Folder' : 'Port'} ${Number(index) + 1}`;
    return `${row}${PART_WORDS[part] ?? ''}`;
  }
  return LABELS.find(([pattern]) => pattern.test(field))?.[1] ?? CONFIG_LABEL;
}

function valueOf(field: string, draft: CreateDraft): string {
  switch (field) {
    case 'name':
      return draft.name.trim();
    case 'workers':
      return draft.workers;
    case 'node_image_tag':
      return draft.tag.trim();
    case 'control_planes':
      return draft.controlPlanes;
    case 'runtime':
      return draft.runtime;
    default: {
      const index = /^port_mappings\[(\d+)\]\.host_port$/.exec(field)?.[1];
      return index === undefined ? '' : (draft.ports[Number(index)]?.hostPort ?? '');
    }
  }
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What is wrong with a name that is no cluster name, as the rest of a sentence that begins with it. */
export function nameComplaint(name: string): string {
  if (name === '') return 'is missing.';
  const parts: string[] = [];
  if (name.length > 40) parts.push(`${name.length} characters`);
  if (/[A-Z]/.test(name)) parts.push('a capital letter');
  if (name.includes('_')) parts.push('an underscore');
  if (/\s/.test(name)) parts.push('a space');
  if (/[^A-Za-z0-9_\-\s]/.test(name)) parts.push('another sign');
  if (parts.length > 0) return `has ${parts.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`;
  return 'begins or ends with a hyphen.';
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
}

function numberComplaint(text: string, least: number, most: number): string {
  if (text.trim() === '') return 'is missing.';
  if (!/^-?\d+$/.test(text.trim())) return 'is not a whole number.';
  return Number(text) < least ? `is less than ${least}.` : `is more than ${most}.`;
}

/** As far as a page can tell: the server knows all of the grammar. */
function isAddress(text: string): boolean {
  const parts = text.split('.');
  if (parts.length === 4) return parts.every((part) => isWhole(part, 0, 255));
  return /^[0-9a-f:]+$/i.test(text) && text.includes(':');
}

/** However it is spelled, but for steps up: the server knows those. */
function samePlace(one: string, other: string): boolean {
  const plain = (path: string): string => path.replace(/\/(\.?\/)+/g, '/').replace(/(.)\/$/, '$1');
  return plain(one) === plain(other);
}

function addressesMeet(one: string, other: string): boolean {
  return one === other || [one, other].some((address) => address === '0.0.0.0' || address === '::');
}
