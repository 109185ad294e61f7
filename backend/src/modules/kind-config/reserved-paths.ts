import { mountPoint } from './kind-config.js';

/**
 * Mount points of kind v0.33 in every node (`runArgsForNode` in
 * pkg/cluster/internal/providers/{docker,podman}/provision.go). Engines reject most of them if they are mounted twice,
 * and on Docker a folder at `/var` replaces the volume with the node's images. `/var/run` and `/usr/lib/modules` are
 * symbolic links in the node image.
 */
const MOUNTED_BY_KIND = new Set(['/var', '/tmp', '/run', '/var/run', '/lib/modules', '/usr/lib/modules']);
/** A mount would hide the programs and settings of the node. */
const SYSTEM_FOLDERS = new Set([
  '/bin',
  '/etc',
  '/kind',
  '/kind/bin',
  '/lib',
  '/lib64',
  '/sbin',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/usr/local/bin',
  '/usr/sbin',
]);
/** Container runtimes reject everything inside `/proc` too. */
const KERNEL_FILE_SYSTEMS = /^\/(proc(\/.*)?|sys|dev)$/;

/** Why nothing can be mounted at a path in a node, or undefined. Subfolders of most of them are allowed. */
export function reservedPathProblem(path: string): string | undefined {
  const place = mountPoint(path) ?? '';
  if (place === '/') return 'must not be the root folder of the node; use a path such as /data';
  if (MOUNTED_BY_KIND.has(place)) return 'is a mount point of kind; use another path, such as /data';
  if (SYSTEM_FOLDERS.has(place)) return 'is a system folder of the node; use another path, such as /data';
  if (KERNEL_FILE_SYSTEMS.test(place)) return 'is a kernel file system; use another path, such as /data';
  return undefined;
}
