import { readFileSync } from 'node:fs';
import { yamlValue } from '../../../core/yaml/index.js';
import type { CatalogEntry } from './catalog-entry.js';

const DEFAULTS = { oldestKubernetes: null, notes: [], needs: [], hints: [] };

/** The addons that Slipway offers. The build copies the file beside the bundled server. */
export const CATALOG: readonly CatalogEntry[] = (
  yamlValue(readFileSync(new URL('./catalog.yaml', import.meta.url), 'utf8')) as CatalogEntry[]
).map((entry) => ({ ...DEFAULTS, ...entry }));

export function findEntry(name: string): CatalogEntry | undefined {
  return CATALOG.find((entry) => entry.name === name);
}

/** The entry of a chart, by the chart's own name. */
export function findEntryByChart(chart: string): CatalogEntry | undefined {
  // Many charts are named `base`.
  return CATALOG.find((entry) => entry.chart === chart && chart !== 'base');
}

/** The URL of the chart repository, or the OCI reference of the chart. */
export function sourceOf({ source }: CatalogEntry): string {
  return 'reference' in source ? source.reference : source.repository;
}

/** Why an entry does not support a Kubernetes version, or null. */
export function unsupportedReason(
  { title, oldestKubernetes }: CatalogEntry,
  kubernetes: string | null,
): string | null {
  const minor = /^v?1\.(\d+)/.exec(kubernetes ?? '')?.[1];
  if (oldestKubernetes === null || minor === undefined || Number(minor) >= oldestKubernetes) return null;
  return `${title} requires Kubernetes 1.${oldestKubernetes} or later, but the version is ${kubernetes?.split('@')[0] ?? ''}.`;
}
