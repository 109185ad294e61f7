import { readFileSync } from 'node:fs';
import { DomainError } from '../../../core/errors/index.js';
import { yamlValue } from '../../../core/yaml/index.js';
import type { CatalogEntryDto } from '../common/addon.dto.js';

export interface CatalogEntry extends Omit<CatalogEntryDto, 'unfit'> {
  /**
   * Next steps after the installation. `%ns` is replaced by the namespace, and `%pool` by free addresses on the nodes'
   * network; without such addresses the hint is left out.
   */
  hints: string[];
}

const DEFAULTS = { kubernetes: null, page: false, notes: [], needs: [], hints: [] };

/** The addons that Slipway offers. The build copies the file beside the bundled server. */
export const CATALOG: readonly CatalogEntry[] = (
  yamlValue(readFileSync(new URL('./catalog.yaml', import.meta.url), 'utf8')) as CatalogEntry[]
).map((entry) => ({ ...DEFAULTS, ...entry }));

/** @throws DomainError `addon_not_found` */
export function getEntry(name: string): CatalogEntry {
  const entry = findEntry(name);
  if (entry) return entry;
  throw new DomainError('addon_not_found', unknownAddon(name));
}

export function unknownAddon(name: string): string {
  return `Addon ${name} does not exist. Available: ${CATALOG.map((entry) => entry.name).join(', ')}.`;
}

export function findEntry(name: string): CatalogEntry | undefined {
  return CATALOG.find((entry) => entry.name === name);
}

/** The entry of a chart, by the chart's own name. */
export function findEntryByChart(chart: string): CatalogEntry | undefined {
  // Many charts are named `base`.
  return CATALOG.find((entry) => entry.chart === chart && chart !== 'base');
}

/** @param version of Kubernetes; null if unknown. */
export function presentEntry(entry: CatalogEntry, version: string | null): Omit<CatalogEntryDto, never> {
  return { ...entry, unfit: unsupportedReason(entry, version) };
}

export function unsupportedReason(
  { title, kubernetes }: CatalogEntry,
  version: string | null,
): string | null {
  const required = /^>=1\.(\d+)\./.exec(kubernetes ?? '')?.[1];
  const minor = /^v?1\.(\d+)/.exec(version ?? '')?.[1];
  if (required === undefined || minor === undefined || Number(minor) >= Number(required)) return null;
  return `${title} requires Kubernetes 1.${required} or later, but the version is ${version?.split('@')[0] ?? ''}.`;
}
