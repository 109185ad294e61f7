/**
 * Grammars of all input that reaches a command line, a path, a query or an engine. None allows a leading dash or `..`;
 * only image references allow a slash.
 */

/**
 * Names of new clusters, up to 40 characters: kind appends `-external-load-balancer` and node suffixes, and the result
 * must stay below the 63 characters of a host name.
 */
export const CLUSTER_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/**
 * Names of clusters that were created with kind directly. kind allows `^[a-z0-9.-]+$`. Container names start with the
 * cluster name, and engines require a letter or digit first, so no name can be a path or a flag.
 */
export const ADOPTED_CLUSTER_NAME = /^[a-z0-9][a-z0-9.-]{0,127}$/;

/** A tag of the node image: a full Kubernetes version, pinned by digest or not. */
export const NODE_IMAGE_TAG = /^v\d{1,3}\.\d{1,3}\.\d{1,3}(@sha256:[0-9a-f]{64})?$/;

/** A node container: the cluster name with a suffix from kind. */
export const NODE_NAME = /^[a-z0-9][a-z0-9.-]{0,159}$/;

/**
 * An image by name and tag: registry, folders, name, tag. No digest, since a loaded image cannot be found by it, and no
 * `..`: path components start and end with a letter or digit.
 */
export const IMAGE_REFERENCE =
  /^(?!.{401})[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(:\d{1,5}(?=\/))?(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$/;

export const RUNTIME_ID = /^[a-z]{1,20}$/;
/** In the place of an engine for clusters of a kubeconfig, which no engine runs. No engine may have this id. */
export const EXTERNAL_RUNTIME = 'kubeconfig';

/** Why a cluster of it has no life cycle in Slipway, without a period. */
export function withoutLifeCycle(name: string): string {
  return `${name} is a cluster of a kubeconfig. Slipway does not create, start, stop or delete it`;
}
export const JOB_ID = /^[1-9]\d{0,14}$/;

export const MAX_WORKERS = 20;
/** kind supports any number; more than five have no benefit on one machine. */
export const MAX_CONTROL_PLANES = 5;

/** An RFC 1123 label, such as a namespace. */
export const NAMESPACE_NAME = /^(?!.{64})[a-z0-9]+(-+[a-z0-9]+)*$/;

/** `apps`, `cert-manager.io`. The core group has no name; paths use `core`. */
export const API_GROUP = /^(?!.{254})[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*$/;

export const API_VERSION = /^(?!.{64})[a-z][a-z0-9]*(-+[a-z0-9]+)*$/;

/** The plural name of a resource in paths: `pods`. */
export const RESOURCE_PLURAL = /^(?!.{64})[a-z][a-z0-9]*(-+[a-z0-9]+)*$/;

/** Whether the parts of a type can be segments of a path. A segment such as `..` would lead to another one. */
export function isTypeName(type: { group: string; version: string; plural: string }): boolean {
  return API_GROUP.test(type.group) && API_VERSION.test(type.version) && RESOURCE_PLURAL.test(type.plural);
}

/**
 * The name of an object of any kind. Most kinds require an RFC 1123 name, roles allow any path segment (`system:node`).
 * `.` and `..`, slashes and a leading dash are not allowed.
 */
export const OBJECT_NAME = /^(?!-|\.{1,2}$)[^/%\s\u0000-\u001f\u007f]{1,253}$/;

/** Since this minor version, the kubelet refuses cgroup v1 by default (kubernetes/enhancements#5573). */
const FIRST_WITHOUT_CGROUP_V1 = 35;

/** Whether a node image does not start on cgroup v1. @param tag such as `v1.36.1` */
export function needsCgroupV2(tag: string): boolean {
  const [, minor = 0] = /^v1\.(\d{1,3})\./.exec(tag) ?? [];
  return Number(minor) >= FIRST_WITHOUT_CGROUP_V1;
}
