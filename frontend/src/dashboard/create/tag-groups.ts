import type { NodeImageTagDto, VersionsDto } from '../../shared/api/api-types';
import { sentenceList } from '../../shared/format/format';

/** Tags of one origin, under its heading. */
export interface TagGroup {
  title: string;
  tags: NodeImageTagDto[];
}

/**
 * The tags by where they come from, as far as they hold what was typed: what is on this machine, what was made
 * for what makes the clusters, what the registry has beside them.
 * @param runtime where the cluster will be: an image in another engine has to be pulled all the same.
 */
export function groupTags(versions: VersionsDto, typed: string, runtime: string): TagGroup[] {
  const text = typed.trim();
  const { tags, provisioner, provisioner_version: version, registry } = versions;
  // A tag that is complete was chosen: to narrow the list to it would hide the others.
  const shown =
    text === '' || tags.some(({ tag }) => tag === text) ? tags : tags.filter(({ tag }) => tag.includes(text));
  const isHere = ({ present_in: holders }: NodeImageTagDto): boolean => holders.includes(runtime);
  const made = shown.filter((tag) => !isHere(tag) && tag.origin === 'kind');
  return [
    { title: 'On this machine', tags: shown.filter(isHere) },
    {
      title:
        runtime === 'demo' ? 'In the demo’s registry' : `Made for ${provisioner} ${version ?? ''}`.trim(),
      tags: made,
    },
    {
      title: registry.repository,
      tags: shown.filter((tag) => !isHere(tag) && tag.origin !== 'kind'),
    },
  ].filter(({ tags: own }) => own.length > 0);
}

/** What there is to know of a tag beside its group. */
export function noteOf({ present_in: holders, fits, origin }: NodeImageTagDto, runtime: string): string {
  const here = holders.includes(runtime);
  const parts = [
    !here && holders.length > 0 ? `in ${sentenceList(holders)} only, has to be pulled` : '',
    here && origin === 'kind' && runtime !== 'demo' ? 'made for this kind' : '',
    fits === 'unlikely' ? 'may not start' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Why the registry's tags are not among them, or not yet; empty where there is nothing to say. */
export function registryNote({ registry }: VersionsDto): string {
  switch (registry.state) {
    case 'reading':
      return `Asking ${hostOf(registry.repository)} for more …`;
    case 'unreachable':
      return `${registry.reason ?? 'The registry was not reached.'}${registry.read_at === null ? '' : ' What it had before is listed.'}`;
    case 'reached':
    case 'off':
      return '';
  }
}

function hostOf(repository: string): string {
  const [first = ''] = repository.split('/');
  return /[.:]/.test(first) ? first : 'docker.io';
}
