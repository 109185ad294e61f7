import { readFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { judgeTag, type ClusterShape, type ProvisionerStatus } from '../../../drivers/provisioner/index.js';
import { freeDisk, type NodeContainer, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import {
  imagesOf,
  type KindConfig,
  nodeImageTagOf,
  type WantedPort,
  wantedPorts,
} from '../../kind-config/index.js';
import { checkPort, checkPortBeside } from './port-check.js';

/** What was found about the host: `problem` stops a creation, `warning` deserves a look. */
export interface HostFinding {
  name: string;
  title: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  /** A command or an instruction that changes it. */
  fix: string | null;
}

/** A port of a config that somebody else listens on. */
export interface TakenPort {
  port: WantedPort;
  problem: string;
}

/** kind's documentation asks for these; below them nodes fail with "too many open files". */
const INOTIFY_WATCHES = 524_288;
const INOTIFY_INSTANCES = 512;
/** Measured right after creation: a control plane takes up to 1.8 GB with page cache, a worker 0.9 GB. */
const MEMORY_PER_CONTROL_PLANE = 900_000_000;
const MEMORY_PER_WORKER = 400_000_000;
/** Under this the kubelet begins to evict pods on most disks. */
const DISK_FLOOR = 5_000_000_000;

/** Looks at this machine before a cluster is made on it. */
@Injectable()
export class Preflight {
  /**
   * Host ports of a config that somebody else listens on.
   * @param own nodes that will have let go of their ports by then. A stopped one holds none: whoever listens
   * on its ports is somebody else.
   */
  async takenPorts(config: KindConfig, own: readonly NodeContainer[] = []): Promise<TakenPort[]> {
    const held = own
      .filter(({ state }) => state === 'running' || state === 'paused')
      .flatMap(({ ports }) => ports);
    const wanted = wantedPorts(config);
    const verdicts = await Promise.all(
      wanted.map((port) => {
        const addresses = held
          .filter(
            ({ hostPort, protocol }) => hostPort === port.port && protocol.toUpperCase() === port.protocol,
          )
          .map(({ hostAddress }) => hostAddress);
        return addresses.length === 0 ? checkPort(port) : checkPortBeside(port, addresses);
      }),
    );
    return wanted
      .filter((_port, index) => verdicts[index] === 'taken')
      .map((port) => ({
        port,
        problem: `host port ${port.port}/${port.protocol} on ${port.address || '0.0.0.0'} is in use by another program`,
      }));
  }

  /** Whether the Kubernetes versions of a config fit what makes the clusters. */
  nodeImages(config: KindConfig, provisioner: ProvisionerStatus): HostFinding[] {
    const tags = imagesOf(config).map(nodeImageTagOf);
    return [...new Set(tags)].flatMap((tag) => {
      if (tag === null) return [];
      const { fits, reason } = judgeTag(tag, provisioner);
      const bare = tag.split('@')[0] ?? tag;
      return [
        {
          name: `node-image-${bare}`,
          title: 'Node image',
          level: fits === 'unlikely' ? ('warning' as const) : ('ok' as const),
          message: reason === null ? `${bare} was made for ${provisioner.name}` : `${bare} ${reason}`,
          fix: null,
        },
      ];
    });
  }

  /** inotify, memory and disk, as far as this machine can tell. */
  async host(runtime: RuntimeDriver, shape: ClusterShape): Promise<HostFinding[]> {
    const findings = await Promise.all([this.inotify(), this.memory(runtime, shape), this.disk(runtime)]);
    return findings.filter((finding) => finding !== undefined);
  }

  private async inotify(): Promise<HostFinding | undefined> {
    const [watches, instances] = await Promise.all([
      readNumber('/proc/sys/fs/inotify/max_user_watches'),
      readNumber('/proc/sys/fs/inotify/max_user_instances'),
    ]);
    // Not Linux: the limits are those of the engine's virtual machine, which cannot be read from here.
    if (watches === undefined || instances === undefined) return undefined;
    const enough = watches >= INOTIFY_WATCHES && instances >= INOTIFY_INSTANCES;
    return {
      name: 'inotify',
      title: 'inotify limits',
      level: enough ? 'ok' : 'warning',
      message: enough
        ? `${watches} watches, ${instances} instances`
        : `${watches} watches and ${instances} instances are few: clusters of several nodes fail with "too many open files"`,
      fix: enough
        ? null
        : `sudo sysctl fs.inotify.max_user_watches=${INOTIFY_WATCHES} fs.inotify.max_user_instances=${INOTIFY_INSTANCES}`,
    };
  }

  private async memory(runtime: RuntimeDriver, shape: ClusterShape): Promise<HostFinding | undefined> {
    const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
    const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1];
    if (kilobytes === undefined) return undefined;
    const free = Number(kilobytes) * 1024;
    // In a virtual machine the engine has less than this machine, and its own figure is the whole.
    const available = Math.min(free, runtime.info().host.memoryBytes || free);
    const needed = shape.controlPlanes * MEMORY_PER_CONTROL_PLANE + shape.workers * MEMORY_PER_WORKER;
    const enough = available >= needed;
    return {
      name: 'memory',
      title: 'Memory free',
      level: enough ? 'ok' : 'warning',
      message: enough
        ? `${gigabytes(available)} GB`
        : `${gigabytes(available)} GB are free; these nodes take about ${gigabytes(needed)} GB`,
      fix: enough ? null : 'Stop other clusters or programs, or make fewer nodes.',
    };
  }

  private async disk(runtime: RuntimeDriver): Promise<HostFinding | undefined> {
    const free = await freeDisk(runtime);
    if (free === undefined) return undefined;
    const enough = free >= DISK_FLOOR;
    return {
      name: 'disk',
      title: 'Disk free',
      level: enough ? 'ok' : 'warning',
      message: enough
        ? `${gigabytes(free)} GB`
        : `${gigabytes(free)} GB are free where images are kept; below 5 GB nodes begin to evict pods`,
      fix: enough ? null : `${runtime.id} system prune`,
    };
  }
}

async function readNumber(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.trim());
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0);
}
