import type { CatalogueEntryDto } from '../addon.dto.js';
import { placeOf, unfitFor } from './catalogue.js';
import type { CatalogueEntry } from './catalogue-entry.js';

/**
 * An entry as it is shown, whatever cluster it is for.
 * @param version of Kubernetes; null where it is not known.
 */
export function presentEntry(
  entry: CatalogueEntry,
  version: string | null,
): Pick<CatalogueEntryDto, keyof CatalogueEntryDto> {
  return {
    name: entry.name,
    title: entry.title,
    purpose: entry.purpose,
    category: entry.category,
    source: placeOf(entry),
    chart: entry.chart,
    version: entry.version,
    app_version: entry.appVersion,
    namespace: entry.namespace,
    release: entry.release,
    values: entry.values,
    notes: entry.notes,
    needs: entry.needs,
    kubernetes: entry.oldestKubernetes === null ? null : `>=1.${entry.oldestKubernetes}.0-0`,
    unfit: unfitFor(entry, version),
  };
}
