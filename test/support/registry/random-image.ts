import { randomBytes } from 'node:crypto';
import { tarOf } from '../images/archives.js';
import { blobOf, type RegistryServer } from './registry-server.js';

/** Serves an image of random layers, which defeats every cache. @returns its reference. */
export function serveRandomImage(
  registry: RegistryServer,
  {
    layers: count,
    layerBytes,
    bytesPerSecond,
  }: { layers: number; layerBytes: number; bytesPerSecond: number },
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
  registry.serve({ tag: 'v1', config, layers, layerType, bytesPerSecond });
  return `${registry.address}/test/image:v1`;
}
