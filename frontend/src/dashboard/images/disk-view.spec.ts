import { describe, expect, it } from '@jest/globals';
import type { DiskUsageDto, NodeImageUsageDto, NodeVolumeUsageDto } from '../../shared/api/api-types';
import { diskParts, sortedImages, sumOf, volumeGroups } from './disk-view';

const image = (id: string, size_bytes: number, removable = false): NodeImageUsageDto => ({
  ...{ id, references: [], size_bytes, used_by: [], removable },
});
const volume = (node: string, cluster: string | null, size_bytes: number | null): NodeVolumeUsageDto => ({
  ...{ name: node, node, cluster, size_bytes, created_at: null, removable: cluster === null },
});
const usage = (more: Partial<DiskUsageDto>): DiskUsageDto => ({
  ...{ runtime: 'docker', reason: null, node_images: [], volumes: [], measuring: false },
  ...{ freeable_bytes: 0, disk_total_bytes: null, disk_free_bytes: null },
  ...more,
});

describe('sortedImages', () => {
  it('lists used images before unused ones, the largest first', () => {
    const images = [image('a', 1), image('b', 9, true), image('c', 5)];
    expect(sortedImages(images).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  });
});

describe('volumeGroups', () => {
  it('groups volumes by cluster, deleted nodes last, with sums of what is measured', () => {
    const groups = volumeGroups([
      volume('gone-worker', null, null),
      volume('shop-worker10', 'shop', 3),
      volume('shop-worker2', 'shop', null),
      volume('api-control-plane', 'api', 4),
    ]);
    expect(
      groups.map(({ cluster, volumes, bytes }) => [cluster, volumes.map(({ node }) => node), bytes]),
    ).toEqual([
      ['api', ['api-control-plane'], 4],
      ['shop', ['shop-worker2', 'shop-worker10'], 3],
      [null, ['gone-worker'], null],
    ]);
    expect(sumOf([])).toBe(0);
  });
});

describe('diskParts', () => {
  const node_images = [image('a', 20), image('b', 10, true)];
  const shown = (more: Partial<DiskUsageDto>): unknown[] =>
    diskParts(usage({ node_images, freeable_bytes: 10, ...more })).map(({ kind, bytes, percent }) => [
      kind,
      bytes,
      percent,
    ]);

  it('divide the disk', () => {
    const volumes = [volume('w', 'shop', 10)];
    expect(shown({ volumes, disk_total_bytes: 200, disk_free_bytes: 100 })).toEqual([
      ['images', 20, 10],
      ['volumes', 10, 5],
      ['freeable', 10, 5],
      ['other', 60, 30],
      ['free', 100, 50],
    ]);
  });

  it('divide what is known without the size of the disk, and while images share layers', () => {
    expect(shown({ node_images: [image('a', 30)] })).toEqual([
      ['images', 30, 75],
      ['freeable', 10, 25],
    ]);
    expect(shown({ disk_total_bytes: 40, disk_free_bytes: 20 })).toEqual([
      ['images', 20, 40],
      ['freeable', 10, 20],
      ['free', 20, 40],
    ]);
  });
});
