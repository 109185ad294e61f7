import { pathsOverlap } from '../../core/storage/paths-overlap.js';

export const ABSOLUTE_PATH = 'must be an absolute path, such as /home/me/data';

/**
 * Why a path of this machine cannot be mounted into nodes; undefined where it can. kind takes a relative path from the
 * folder that it is started in, which is Slipway's own and goes with the cluster (kind v0.33,
 * pkg/cluster/internal/create/create.go, `fixupOptions`).
 *
 * @param reserved the data folder of Slipway.
 */
export function hostPathProblem(path: string, reserved: string | undefined): string | undefined {
  if (path.startsWith('~')) return `${ABSOLUTE_PATH}: kind does not expand ~`;
  if (!path.startsWith('/')) return ABSOLUTE_PATH;
  if (path.includes(':')) return 'has a colon, which engines take for the end of a path';
  if (path.split('/').includes('..')) return 'must not contain .. segments; write the path that they lead to';
  if (reserved !== undefined && pathsOverlap(reserved, path)) {
    return 'must not be, contain or be inside the data folder of Slipway (APP_DATA_DIR), which holds its keys; mount another folder';
  }
  return undefined;
}
