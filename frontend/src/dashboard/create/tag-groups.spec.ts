import { describe, expect, it } from '@jest/globals';
import type { NodeImageTagDto, VersionsDto } from '../../shared/api/api-types';
import { groupTags, noteOf, registryNote } from './tag-groups';

const tag = (name: string, more: Partial<NodeImageTagDto> = {}): NodeImageTagDto => ({
  tag: name,
  image: `docker.io/kindest/node:${name}`,
  origin: 'registry',
  present_in: [],
  size_bytes: null,
  fits: 'unknown',
  fits_reason: null,
  ...more,
});

const versions = (registry: Partial<VersionsDto['registry']> = {}): VersionsDto => ({
  default_tag: 'v1.34.4',
  provisioner: 'kind',
  provisioner_version: '0.33.0',
  registry: {
    repository: 'docker.io/kindest/node',
    state: 'reached',
    reason: null,
    read_at: null,
    ...registry,
  },
  tags: [
    tag('v1.34.4', { origin: 'local', present_in: ['docker'] }),
    tag('v1.37.0', { origin: 'kind', fits: 'likely' }),
    tag('v1.36.4', { origin: 'kind', fits: 'likely', present_in: ['podman'] }),
    tag('v1.38.1', { fits: 'unlikely' }),
  ],
});

const shown = (typed: string, runtime = 'docker'): string[] =>
  groupTags(versions(), typed, runtime).map(
    ({ title, tags }) => `${title}: ${tags.map((entry) => entry.tag).join(' ')}`,
  );

describe('groupTags', () => {
  it('groups tags by origin', () => {
    expect(shown('')).toEqual([
      'On this host: v1.34.4',
      'Built for kind 0.33.0: v1.37.0 v1.36.4',
      'docker.io/kindest/node: v1.38.1',
    ]);
  });

  it('shows the tags of the selected engine first', () => {
    expect(shown('', 'podman')[0]).toBe('On this host: v1.36.4');
  });

  it('filters by the typed text unless it is a complete tag', () => {
    expect(shown('1.3').length).toBe(3);
    expect(shown('38')).toEqual(['docker.io/kindest/node: v1.38.1']);
    expect(shown('v1.38.1').length).toBe(3);
    expect(shown('v9')).toEqual([]);
  });

  it('notes images in other engines and unsupported versions', () => {
    const [local, , elsewhere, newer] = versions().tags;
    expect([local, elsewhere, newer].map((entry) => entry && noteOf(entry, 'docker'))).toEqual([
      '',
      'only in podman, must be pulled',
      'may not start',
    ]);
    expect(elsewhere && noteOf(elsewhere, 'podman')).toBe('built for this kind');
  });
});

describe('registryNote', () => {
  it.each([
    [{ state: 'reached' }, ''],
    [{ state: 'off' }, ''],
    [{ state: 'reading' }, 'Loading more tags from docker.io …'],
    [{ state: 'reading', repository: 'mirror.test:5000/node' }, 'Loading more tags from mirror.test:5000 …'],
    [
      { state: 'unreachable', reason: 'docker.io did not respond in time.' },
      'docker.io did not respond in time.',
    ],
    [
      { state: 'unreachable', reason: 'It is down.', read_at: '2026-11-21T09:00:00Z' },
      'It is down. Showing the last known tags.',
    ],
  ] as const)('%j says %j', (registry, words) => {
    expect(registryNote(versions(registry))).toBe(words);
  });
});
