import { pathsOverlap } from '../../core/storage/paths-overlap.js';

const ABSOLUTE_PATH = 'must be an absolute path, such as /home/me/data';
export const COLON = 'must not contain a colon, which engines interpret as the end of the path';

/**
 * Why a host path cannot be mounted into nodes, or undefined. kind resolves a relative path against its working
 * directory, which is a folder of Slipway that is deleted with the cluster (kind v0.33,
 * pkg/cluster/internal/create/create.go, `fixupOptions`).
 *
 * @param reserved the data folder of Slipway.
 */
export function hostPathProblem(path: string, reserved: string | undefined): string | undefined {
  if (path.startsWith('~')) return `${ABSOLUTE_PATH}: kind does not expand ~`;
  if (!path.startsWith('/')) return ABSOLUTE_PATH;
  if (path.includes(':')) return COLON;
  if (path.split('/').includes('..')) return 'must not contain .. segments; use the resolved path';
  if (reserved !== undefined && pathsOverlap(reserved, path)) {
    return 'must not be, contain or be inside the data folder of Slipway (APP_DATA_DIR), which contains its keys; mount another folder';
  }
  return undefined;
}
