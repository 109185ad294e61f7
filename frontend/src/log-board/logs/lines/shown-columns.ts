import { computed, inject, type Signal } from '@angular/core';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { ViewOptions } from '../../../shared/lines/view-options';
import { groupSources, leavesOf } from '../../search-model/source-groups';
import { fullName, titleOf } from '../../search-model/source-names';
import { SourceStyles } from '../sources/source-styles';

const MAX_COLUMNS = 4;

export interface LogColumn {
  key: string;
  title: string;
  fullName: string;
  label: string;
  color: string;
}

/** Why lines cannot be shown side by side; null if they can. */
export function whyMerged(sourceCount: number, isMerged: boolean): string | null {
  if (isMerged) return $localize`Not for matches`;
  const isInLimits = sourceCount >= 2 && sourceCount <= MAX_COLUMNS;
  return isInLimits ? null : $localize`Choose 2 to ${MAX_COLUMNS}:most: sources`;
}

/** Sources side by side in the order of the tree; none if they are merged. Requires an injection context. */
export function shownColumns(
  sources: Signal<readonly LogSourceDto[]>,
  isMerged: Signal<boolean>,
): Signal<LogColumn[]> {
  const options = inject(ViewOptions);
  const styles = inject(SourceStyles);
  return computed(() => {
    if (!options.columns() || whyMerged(sources().length, isMerged()) !== null) return [];
    return leavesOf(groupSources(sources())).map((source) => ({
      key: source.key,
      title: titleOf(source),
      fullName: fullName(source),
      label: $localize`Lines of ${titleOf(source)}:source:`,
      color: `var(--src-${styles.of(source.id).hue})`,
    }));
  });
}
