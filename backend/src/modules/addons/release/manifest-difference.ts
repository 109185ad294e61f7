import type { AddonDifferenceDto, ManifestChangeDto } from '../addon.dto.js';
import { keyOf, splitManifest, withoutSecrets, type RenderedObject } from './split-manifest.js';

/** Stands at the end of a Secret whose values differ, which the marks in their place do not show. */
const DIFFERS = '# Values that are not shown here differ.\n';

/** What takes one manifest to another, object by object. Secrets' values are in neither. */
export function manifestDifference(
  before: string,
  after: string,
  warnings: string[] = [],
): AddonDifferenceDto {
  const old = new Map(splitManifest(before).map((object) => [keyOf(object), object]));
  const wanted = new Map(splitManifest(after).map((object) => [keyOf(object), object]));
  const changes: ManifestChangeDto[] = [];
  for (const [key, object] of wanted) {
    const known = old.get(key);
    if (!known) changes.push(changeOf(object, 'added', '', shown(object)));
    else if (plain(known.text) !== plain(object.text)) changes.push(changed(known, object));
  }
  for (const [key, object] of old) {
    if (!wanted.has(key)) changes.push(changeOf(object, 'removed', shown(object), ''));
  }
  const unchanged = [...wanted.keys()].filter((key) => old.has(key)).length;
  return {
    changes,
    unchanged: unchanged - changes.filter(({ change }) => change === 'changed').length,
    warnings,
  };
}

function changed(known: RenderedObject, object: RenderedObject): ManifestChangeDto {
  const [before, after] = [shown(known), shown(object)];
  return changeOf(object, 'changed', before, before === after ? `${after}${DIFFERS}` : after);
}

function changeOf(
  { kind, apiVersion, namespace, name }: RenderedObject,
  change: ManifestChangeDto['change'],
  before: string,
  after: string,
): ManifestChangeDto {
  return { kind, api_version: apiVersion, namespace, name, change, before, after };
}

function shown({ text }: RenderedObject): string {
  return withoutSecrets(plain(text));
}

/** Without helm's own line of which file it comes from, which is the same by its name. */
function plain(text: string): string {
  return text.replace(/^# Source: .*\n/gm, '');
}
