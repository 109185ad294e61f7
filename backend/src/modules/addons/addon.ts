/** How an addon stands in a cluster. `pending_repair`: an operation was cut short, the next one repairs it first. */
export const ADDON_STATES = [
  'not_installed',
  'installing',
  'deployed',
  'upgrading',
  'rolling_back',
  'uninstalling',
  'failed',
  'pending_repair',
] as const;
export type AddonState = (typeof ADDON_STATES)[number];

/** What the catalogue sorts by. */
export const ADDON_CATEGORIES = [
  'metrics',
  'networking',
  'certificates',
  'observability',
  'service-mesh',
  'delivery',
] as const;
export type AddonCategory = (typeof ADDON_CATEGORIES)[number];

/** Words that stand in the place of a release in addresses, so that no release may be called so. */
export const RESERVED_RELEASES = ['installed', 'charts', 'repositories', 'forwards'] as const;

/** Helm's own grammar of release names, less dots, which its objects' names do not all take. */
export const RELEASE_NAME = /^[a-z0-9]([a-z0-9-]{0,51}[a-z0-9])?$/;
/** The same with dots: names that somebody else may have given. */
export const ANY_RELEASE_NAME = /^[a-z0-9]([a-z0-9.-]{0,51}[a-z0-9])?$/;
/** A label of RFC 1123, as Kubernetes wants namespaces. */
export const NAMESPACE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** What helm takes for a chart's name. */
export const CHART_NAME = /^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,98}[a-zA-Z0-9])?$/;
/** A semantic version, with or without the v that some charts have. */
export const CHART_VERSION = /^v?\d{1,9}\.\d{1,9}\.\d{1,9}(-[0-9A-Za-z.-]{1,60})?(\+[0-9A-Za-z.-]{1,60})?$/;
export const REPOSITORY_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
/** The name under which charts that were uploaded stand in the place of a repository. */
export const UPLOADED = 'uploaded';

/** Longest values that are taken: those of the largest charts are about 200 kB. */
export const MAX_VALUES_LENGTH = 200_000;
/** Largest chart that is taken. */
export const MAX_CHART_BYTES = 20_000_000;
