import { randomBytes } from 'node:crypto';
import { tarOf } from '../images/archives.js';
import { blobOf, type RegistryServer } from './registry-server.js';

/**
 * Serves an image of random layers, which no cache contains.
 * @param tag of the image in all repositories of the registry.
 * @returns its reference.
 */
export function serveRandomImage(
  registry: RegistryServer,
  {
    layers: count,
    layerBytes,
    bytesPerSecond,
    tag = 'v1',
  }: { layers: number; layerBytes: number; bytesPerSecond: number; tag?: string },
): string {
  const layers = Array.from({ length: count }, (_, index) =>
    blobOf(tarOf({ [`layer-${index}`]: randomBytes(layerBytes) })),
  );
  const config = blobOf(
    JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: layers.map(({ digest }) => digest) },
    }),
  );
  const layerType = 'application/vnd.docker.image.rootfs.diff.tar';
  registry.serve({ tag, config, layers, layerType, bytesPerSecond });
  return `${registry.address}/test/image:${tag}`;
}
