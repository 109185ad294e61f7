/**
 * Grammars of everything in a request that reaches a command line, a path, a query or an engine.
 * None allows a leading dash or a dot-dot, and that of images alone a slash.
 */

/**
 * Names that Slipway gives. 40 characters at most: kind appends `-external-load-balancer` and node
 * suffixes, and the result must stay under the 63 characters of a Kubernetes and host name.
 */
export const CLUSTER_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/**
 * Names that bare kind may have given. Its own rule is `^[a-z0-9.-]+$`; the engines let a container, which
 * is called after its cluster, begin with a letter or a digit only, and so no path or flag is among them.
 */
export const ADOPTED_CLUSTER_NAME = /^[a-z0-9][a-z0-9.-]{0,127}$/;

/** A tag of the node image: a full Kubernetes version, pinned by digest or not. */
export const NODE_IMAGE_TAG = /^v\d{1,3}\.\d{1,3}\.\d{1,3}(@sha256:[0-9a-f]{64})?$/;

/** A node's container: its cluster's name, and what kind appends. */
export const NODE_NAME = /^[a-z0-9][a-z0-9.-]{0,159}$/;

/**
 * An image by name and tag: registry, folders, name, tag. Without a digest, by which a loaded image could
 * not be found again, and without a path that climbs: its parts begin and end with a letter or a digit.
 */
export const IMAGE_REFERENCE =
  /^(?!.{401})[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(:\d{1,5}(?=\/))?(\/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$/;

export const RUNTIME_ID = /^[a-z]{1,20}$/;
export const JOB_ID = /^[1-9]\d{0,14}$/;

/** Most workers that one cluster may have. */
export const MAX_WORKERS = 20;
/** kind supports any odd number; beyond five there is no use on one machine. */
export const MAX_CONTROL_PLANES = 5;

/** A namespace, and whatever else Kubernetes names by an RFC 1123 label. */
export const NAMESPACE_NAME = /^(?!.{64})[a-z0-9]+(-+[a-z0-9]+)*$/;

/** `apps`, `cert-manager.io`. The core group, which has none, is written `core` where a path needs a word. */
export const API_GROUP = /^(?!.{254})[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*$/;

export const API_VERSION = /^(?!.{64})[a-z][a-z0-9]*(-+[a-z0-9]+)*$/;

/** The name of a kind in paths: `pods`. */
export const RESOURCE_PLURAL = /^(?!.{64})[a-z][a-z0-9]*(-+[a-z0-9]+)*$/;

/**
 * An object of any kind. Most are called by an RFC 1123 name, roles by any path segment (`system:node`);
 * Kubernetes refuses in each of them what could climb. A dash at the beginning is refused here.
 */
export const OBJECT_NAME = /^(?!-|\.{1,2}$)[^/%\s\u0000-\u001f\u007f]{1,253}$/;
