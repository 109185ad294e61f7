import type { AddonDifferenceDto, ManifestChangeDto } from '../addon.dto.js';
import { manifestsWithoutSecrets } from '../../resources/index.js';
import { yaml } from '../addon-yaml.js';
import { keyOf, type RenderedObject } from './split-manifest.js';

/** Stands at the end of a Secret whose values differ, which the marks in their place do not show. */
const DIFFERS = '# Values that are not shown here differ.\n';

interface ObjectChange {
  change: ManifestChangeDto['change'];
  /** Undefined of one that is added. */
  before: RenderedObject | undefined;
  /** Undefined of one that is removed. */
  after: RenderedObject | undefined;
}

/** What takes one manifest to another, object by object. Secrets' values are in neither. */
export async function manifestDifference(
  before: string,
  after: string,
  warnings: string[] = [],
): Promise<AddonDifferenceDto> {
  const old = new Map((await yaml.splitManifest(before)).map((object) => [keyOf(object), object]));
  const wanted = new Map((await yaml.splitManifest(after)).map((object) => [keyOf(object), object]));
  const changes: ObjectChange[] = [];
  for (const [key, object] of wanted) {
    const known = old.get(key);
    if (!known) {
      changes.push({ change: 'added', before: undefined, after: object });
    } else if (plain(known) !== plain(object)) {
      changes.push({ change: 'changed', before: known, after: object });
    }
  }
  for (const [key, object] of old) {
    if (!wanted.has(key)) changes.push({ change: 'removed', before: object, after: undefined });
  }
  const common = [...wanted.keys()].filter((key) => old.has(key)).length;
  return {
    changes: await present(changes),
    unchanged: common - changes.filter(({ change }) => change === 'changed').length,
    warnings,
  };
}

async function present(changes: readonly ObjectChange[]): Promise<ManifestChangeDto[]> {
  const shown = await manifestsWithoutSecrets(
    changes.flatMap(({ before, after }) => [plain(before), plain(after)]),
  );
  return changes.flatMap(({ change, before: old, after: fresh }, index) => {
    const object = fresh ?? old;
    if (!object) return [];
    const [before = '', after = ''] = shown.slice(2 * index, 2 * index + 2);
    const { kind, apiVersion, namespace, name } = object;
    const isHidden = change === 'changed' && before === after;
    return [
      {
        kind,
        api_version: apiVersion,
        namespace,
        name,
        change,
        before,
        after: isHidden ? `${after}${DIFFERS}` : after,
      },
    ];
  });
}

/** Without helm's own line of which file it comes from, which is the same by its name. */
function plain(object: RenderedObject | undefined): string {
  return object?.text.replace(/^# Source: .*\n/gm, '') ?? '';
}
