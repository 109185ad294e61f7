import { mountPoint } from './kind-config.js';

/**
 * What kind v0.33 mounts in every node itself, on Docker and Podman alike (`runArgsForNode` in
 * pkg/cluster/internal/providers/{docker,podman}/provision.go). Engines refuse most of these a second time, and
 * Docker puts a folder at `/var` in place of the volume that holds the node's images. `/var/run` and
 * `/usr/lib/modules` are two of them by the links of the node image.
 */
const MOUNTED_BY_KIND = new Set(['/var', '/tmp', '/run', '/var/run', '/lib/modules', '/usr/lib/modules']);
/** Folders out of which a node runs: what is mounted over them hides its own programs and settings. */
const RUN_FROM = new Set([
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
/** File systems of the kernel; runtimes refuse anything inside `/proc` too. */
const OF_THE_KERNEL = /^\/(proc(\/.*)?|sys|dev)$/;

/** Why nothing can be mounted at a place in a node; undefined where it can. Folders within most of them are free. */
export function reservedPathProblem(path: string): string | undefined {
  const place = mountPoint(path);
  if (place === undefined) return undefined;
  if (place === '/') return 'is the whole of the node; mount a folder within it, such as /data';
  if (MOUNTED_BY_KIND.has(place)) {
    return 'is where kind mounts what the node needs; take another, such as /data';
  }
  if (RUN_FROM.has(place)) return 'hides what the node runs from; take another, such as /data';
  if (OF_THE_KERNEL.test(place)) return 'is the kernel’s; take another, such as /data';
  return undefined;
}
