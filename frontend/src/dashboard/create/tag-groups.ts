import type { NodeImageTagDto, VersionsDto } from '../../shared/api/api-types';
import { formatList } from '../../shared/format/format';

export interface TagGroup {
  title: string;
  tags: NodeImageTagDto[];
}

/**
 * The matching tags by origin: on this host, built for the installed kind, others in the registry.
 * @param runtime engine of the cluster; images in other engines must be pulled
 */
export function groupTags(versions: VersionsDto, typed: string, runtime: string): TagGroup[] {
  const text = typed.trim();
  const { tags, provisioner, provisioner_version: version, registry } = versions;
  // A complete tag was chosen: show all tags instead of filtering by it.
  const shown =
    text === '' || tags.some(({ tag }) => tag === text) ? tags : tags.filter(({ tag }) => tag.includes(text));
  const isHere = ({ present_in: holders }: NodeImageTagDto): boolean => holders.includes(runtime);
  const built = shown.filter((tag) => !isHere(tag) && tag.origin === 'kind');
  return [
    { title: $localize`On this host`, tags: shown.filter(isHere) },
    {
      title:
        runtime === 'demo'
          ? $localize`Demo registry`
          : $localize`Built for ${`${provisioner} ${version ?? ''}`.trim()}:provisioner:`,
      tags: built,
    },
    {
      title: registry.repository,
      tags: shown.filter((tag) => !isHere(tag) && tag.origin !== 'kind'),
    },
  ].filter(({ tags: own }) => own.length > 0);
}

export function noteOf({ present_in: holders, fits, origin }: NodeImageTagDto, runtime: string): string {
  const here = holders.includes(runtime);
  const parts = [
    !here && holders.length > 0 ? $localize`only in ${formatList(holders)}:engines:, must be pulled` : '',
    here && origin === 'kind' && runtime !== 'demo' ? $localize`built for this kind` : '',
    fits === 'unlikely' ? $localize`may not start` : '',
    fits === 'never' ? $localize`does not start on this host` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Why tags of the registry are missing; empty if they are complete. */
export function registryNote({ registry }: VersionsDto): string {
  switch (registry.state) {
    case 'reading':
      return $localize`Loading more tags from ${hostOf(registry.repository)}:host: …`;
    case 'unreachable':
      return [
        registry.reason ?? $localize`Could not reach the registry.`,
        registry.read_at === null ? '' : $localize`Showing the last known tags.`,
      ]
        .filter(Boolean)
        .join(' ');
    case 'reached':
    case 'off':
      return '';
  }
}

function hostOf(repository: string): string {
  const [first = ''] = repository.split('/');
  return /[.:]/.test(first) ? first : 'docker.io';
}
