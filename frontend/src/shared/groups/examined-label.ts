import type { LinePatternsDto } from '../api/api-types';
import { lineCount } from '../format/format';

/** Of how many lines groups were made. */
export function examinedLabel({ examined, reason }: Pick<LinePatternsDto, 'examined' | 'reason'>): string {
  const lines = lineCount(examined);
  switch (reason) {
    case 'complete':
      return $localize`In ${lines}:lines:`;
    case 'limit':
      return $localize`In the newest ${lines}:lines:`;
    case 'timeout':
      return $localize`In ${lines}:lines:; the search timed out`;
  }
}
