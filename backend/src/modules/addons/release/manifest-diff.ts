import { groupVersion } from '../../../drivers/kubernetes/index.js';
import type { AddonDiffDto, ManifestChangeDto } from '../common/addon.dto.js';
import { manifestsWithoutSecrets } from '../../resources/index.js';
import { yaml } from './addon-yaml-process.js';
import type { RenderedObject } from './split-manifest.js';

/** Appended to a Secret whose masked values differ. */
const HIDDEN_CHANGE = '# Values that are not shown here differ.\n';

interface ObjectChange {
  change: ManifestChangeDto['change'];
  /** Undefined for an added object. */
  before: RenderedObject | undefined;
  /** Undefined for a removed object. */
  after: RenderedObject | undefined;
}

/** Compares two manifests object by object, with the values of Secrets masked. */
export async function manifestDiff(
  before: string,
  after: string,
  warnings: string[] = [],
): Promise<AddonDiffDto> {
  const old = new Map((await yaml.splitManifest(before)).map((object) => [keyOf(object), object]));
  const wanted = new Map((await yaml.splitManifest(after)).map((object) => [keyOf(object), object]));
  const changes: ObjectChange[] = [];
  let unchanged = 0;
  for (const [key, object] of wanted) {
    const known = old.get(key);
    if (!known) changes.push({ change: 'added', before: undefined, after: object });
    else if (withoutSource(known) === withoutSource(object)) unchanged += 1;
    else changes.push({ change: 'changed', before: known, after: object });
  }
  for (const [key, object] of old) {
    if (!wanted.has(key)) changes.push({ change: 'removed', before: object, after: undefined });
  }
  return { changes: await present(changes), unchanged, warnings };
}

async function present(changes: readonly ObjectChange[]): Promise<ManifestChangeDto[]> {
  const masked = await manifestsWithoutSecrets(
    changes.flatMap(({ before, after }) => [withoutSource(before), withoutSource(after)]),
  );
  return changes.flatMap(({ change, before: old, after: updated }, index) => {
    const object = updated ?? old;
    if (!object) return [];
    const [before = '', after = ''] = masked.slice(2 * index, 2 * index + 2);
    const { kind, apiVersion: api_version, namespace, name } = object;
    const isHidden = change === 'changed' && before === after;
    return [
      { kind, api_version, namespace, name, change, before, after: isHidden ? after + HIDDEN_CHANGE : after },
    ];
  });
}

/** Without helm's comment that names the template. */
function withoutSource(object: RenderedObject | undefined): string {
  return object?.text.replace(/^# Source: .*\n/gm, '') ?? '';
}

/** Identifies an object within its release, independent of its API version. */
function keyOf({ apiVersion, kind, namespace, name }: RenderedObject): string {
  return [groupVersion(apiVersion).group, kind, namespace ?? '', name].join('/');
}
