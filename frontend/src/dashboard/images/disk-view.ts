import type { DiskUsageDto, NodeImageUsageDto, NodeVolumeUsageDto } from '../../shared/api/api-types';

export interface DiskPart {
  kind: 'images' | 'volumes' | 'freeable' | 'other' | 'free';
  label: string;
  bytes: number;
  /** Of the bar. */
  percent: number;
}

export interface VolumeGroup {
  /** Null for deleted nodes. */
  cluster: string | null;
  volumes: NodeVolumeUsageDto[];
  /** Of the measured volumes; null if none is. */
  bytes: number | null;
}

/** Images that are in use before the others, each by size. */
export function sortedImages(images: readonly NodeImageUsageDto[]): NodeImageUsageDto[] {
  return images.toSorted(
    (one, other) => Number(one.removable) - Number(other.removable) || other.size_bytes - one.size_bytes,
  );
}

/** Volumes by cluster and node. Those of deleted nodes come last. */
export function volumeGroups(volumes: readonly NodeVolumeUsageDto[]): VolumeGroup[] {
  const clusters = new Set(volumes.map(({ cluster }) => cluster));
  return [...clusters]
    .sort((one, other) => (one === null ? 1 : other === null ? -1 : one.localeCompare(other)))
    .map((cluster) => {
      const own = volumes
        .filter((volume) => volume.cluster === cluster)
        .sort((one, other) => one.node.localeCompare(other.node, undefined, { numeric: true }));
      return { cluster, volumes: own, bytes: sumOf(own) };
    });
}

/** Sum of the known sizes; null if none is known. */
export function sumOf(entries: readonly { size_bytes: number | null }[]): number | null {
  const sizes = entries.flatMap(({ size_bytes }) => size_bytes ?? []);
  return sizes.length === 0 && entries.length > 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
}

/** The parts of the disk of an engine; only those of Slipway if the disk is on another machine. */
export function diskParts({
  node_images: images,
  volumes,
  freeable_bytes: freeable,
  disk_total_bytes: total,
  disk_free_bytes: free,
}: DiskUsageDto): DiskPart[] {
  const used = (entries: readonly { removable: boolean; size_bytes: number | null }[]): number =>
    sumOf(entries.filter(({ removable }) => !removable)) ?? 0;
  const [ofImages, ofVolumes] = [used(images), used(volumes)];
  const known = ofImages + ofVolumes + freeable;
  // Images share layers, so their sum may exceed what is used.
  const others = total === null || free === null ? 0 : Math.max(0, total - free - known);
  const parts: Omit<DiskPart, 'percent'>[] = [
    { kind: 'images', label: $localize`Node images in use`, bytes: ofImages },
    { kind: 'volumes', label: $localize`Node volumes in use`, bytes: ofVolumes },
    { kind: 'freeable', label: $localize`Can be freed`, bytes: freeable },
    { kind: 'other', label: $localize`Other data`, bytes: others },
    { kind: 'free', label: $localize`Free`, bytes: free ?? 0 },
  ];
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return parts
    .filter(({ bytes }) => bytes > 0)
    .map((part) => ({ ...part, percent: (100 * part.bytes) / all }));
}
