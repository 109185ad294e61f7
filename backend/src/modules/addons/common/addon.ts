/** `pending_repair`: an operation was interrupted, and the next one repairs the release first. */
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

export const ADDON_CATEGORIES = [
  'metrics',
  'networking',
  'certificates',
  'observability',
  'service-mesh',
  'delivery',
] as const;
export type AddonCategory = (typeof ADDON_CATEGORIES)[number];

/** Helm's release names without dots, which some resource names do not allow. */
export const RELEASE_NAME = /^[a-z0-9]([a-z0-9-]{0,51}[a-z0-9])?$/;
/** Names of releases from other programs, which may contain dots. */
export const ANY_RELEASE_NAME = /^[a-z0-9]([a-z0-9.-]{0,51}[a-z0-9])?$/;
/** An RFC 1123 label. */
export const NAMESPACE_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const REPOSITORY_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
export const UPLOADED = 'uploaded';
export const FROM_CATALOG = 'catalogue';

/** The default values of the largest charts have about 200 kB. */
export const MAX_VALUES_LENGTH = 200_000;
export const MAX_CHART_BYTES = 20_000_000;
