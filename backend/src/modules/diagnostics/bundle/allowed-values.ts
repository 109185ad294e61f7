import { jsonValue } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';

/**
 * Keys of configs, flags and variables whose values are known to be harmless, in lower case without separators. The values
 * of all others are replaced by their type and length.
 */
const ALLOWED = new Set(
  `action advertiseaddress apiserveraddress apiserverport apiversion attempt bindport certsans cgroupDriver cluster
  clustername code config configpath containerport containerpath context controlplanes count creation criSocket default
  defaultruntimename disableDefaultCNI dnssearch driver duration duration_ms enabled engine exitcode failure featuregates
  format from group hostpath hostport id image imagepullpolicy imagerepository image_tag ipFamily job_id kind
  kubeProxyMode kubernetesversion kubeversion labels level line listenaddress maxpods method mode ms name namespace
  networkplugin nodeimage nodeimagetag nodes op output outcome path pid platform podsubnet podsandboximage port
  portmappings propagation protocol provider provisioner provisionerversion readonly release replicas req_id requestid
  revision role runtime runtimeconfig runtimetype sandboximage selinuxRelabel sequence servicesubnet signal size
  snapshotter state status statuscode stderr stdout stream systemdCgroup tag target time timeout timestamp title to type
  httpproxy httpsproxy no_proxy uid updated uptime v verbosity version wait workers`
    .toLowerCase()
    .split(/\s+/)
    .map((key) => key.replaceAll('_', '')),
);
/** Matches harmless values: an image, a path, an address, a version, a time. */
const HARMLESS = /^[\w.,:/@%+*~=<>() [\]-]{0,300}$/;
/** Part of an value that may be a secret: long runs without a separator, such as keys in base64. */
const RANDOM = /(?<!sha256:)(?<![A-Za-z0-9])(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{32,}/;
const PLAIN_KEY = /^[\w.:/ ~[\]"-]{1,200}$/;

export function isAllowedKey(key: string): boolean {
  return ALLOWED.has(
    key
      .replace(/^-+/, '')
      .replace(/[_.\s-]/g, '')
      .toLowerCase(),
  );
}

/** The type and length of a value. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return `<text, ${value.length} characters>`;
  if (Array.isArray(value)) return `<list, ${value.length} items>`;
  return isRecord(value) ? `<map, ${Object.keys(value).length} keys>` : `<${typeof value}>`;
}

/** A key as it is, unless it may be a value. */
export function allowedKey(key: string): string {
  return PLAIN_KEY.test(key) && !RANDOM.test(key) ? key : `<key, ${key.length} characters>`;
}

/** The value of a key, if key and value are known to be harmless, else its type and length. */
export function allowedText(key: string, text: string): string {
  const isHarmless =
    isAllowedKey(key) &&
    HARMLESS.test(text) &&
    !RANDOM.test(text) &&
    !/:\/\/(?!\[removed\]@)[^/]*@/.test(text);
  return text === '' || /^(?:true|false|null)$/.test(text) || isHarmless ? text : describe(text);
}

/**
 * A parsed config with the harmless values only. Texts that contain other configs, such as kubeadm patches, are parsed.
 *
 * @param embedded what to write for a text of several lines
 */
export function allowedValue(value: unknown, embedded: (text: string) => unknown, key = ''): unknown {
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? jsonValue(value) : undefined;
    if (inner !== undefined) return allowedValue(inner, embedded);
    return value.includes('\n') ? embedded(value) : allowedText(key, value);
  }
  if (typeof value === 'number') return isAllowedKey(key) ? value : describe(value);
  if (Array.isArray(value)) return value.map((item) => allowedValue(item, embedded, key));
  if (!isRecord(value)) return value;
  // The value of a name/value pair belongs to its name: an argument of kubeadm, or a variable.
  const { name } = value;
  const pairKey = typeof name === 'string' && 'value' in value ? name : undefined;
  // The value of a JSON patch belongs to the last part of its path.
  const patchKey = typeof value['path'] === 'string' ? value['path'].split('/').at(-1) : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([own, item]) => [
      allowedKey(own),
      allowedValue(item, embedded, own === 'value' ? (pairKey ?? patchKey ?? '') : own),
    ]),
  );
}
