import type { CatalogEntryDto } from '../addon.dto.js';
import { sourceOf, unsupportedReason } from './catalog.js';
import type { CatalogEntry } from './catalog-entry.js';

/** @param version of Kubernetes; null if unknown. */
export function presentEntry(
  entry: CatalogEntry,
  version: string | null,
): Pick<CatalogEntryDto, keyof CatalogEntryDto> {
  return {
    name: entry.name,
    title: entry.title,
    purpose: entry.purpose,
    category: entry.category,
    source: sourceOf(entry),
    chart: entry.chart,
    version: entry.version,
    app_version: entry.appVersion,
    namespace: entry.namespace,
    release: entry.release,
    values: entry.values,
    notes: entry.notes,
    needs: entry.needs,
    kubernetes: entry.oldestKubernetes === null ? null : `>=1.${entry.oldestKubernetes}.0-0`,
    unfit: unsupportedReason(entry, version),
  };
}
