import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import {
  isUnfit,
  judgeTag,
  type ClusterShape,
  type ProvisionerStatus,
} from '../../../drivers/provisioner/index.js';
import { freeDisk, type NodeContainer, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import {
  imagesOf,
  ipv6Addresses,
  type KindConfig,
  nodeImageTagOf,
  type WantedPort,
  wantedPorts,
} from '../../kind-config/index.js';
import { checkPort, checkPortExcept } from './port-check.js';

/** The result of a check. A `problem` prevents a creation. */
export interface HostFinding {
  name: string;
  title: string;
  level: 'ok' | 'warning' | 'problem';
  message: string;
  fix: string | null;
}

export interface TakenPort {
  port: WantedPort;
  problem: string;
}

/** @param holder null if unknown */
export function portProblem({ port, protocol, address }: WantedPort, holder: string | null = null): string {
  return `host port ${port}/${protocol} on ${address || '0.0.0.0'} is in use by ${holder ?? 'another program'}`;
}

/** Recommended by the documentation of kind. With less, nodes fail with "too many open files". */
const INOTIFY_WATCHES = 524_288;
const INOTIFY_INSTANCES = 512;
/** Measured right after creation: a control plane takes up to 1.8 GB with page cache, a worker 0.9 GB. */
const MEMORY_PER_CONTROL_PLANE = 900_000_000;
const MEMORY_PER_WORKER = 400_000_000;
/** With less, the kubelet evicts Pods on most disks. */
const DISK_FLOOR = 5_000_000_000;

@Injectable()
export class Preflight {
  /**
   * Host ports of a config that other programs use.
   * @param own nodes that are removed first, so that their ports become free. Stopped nodes use no ports.
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
        return addresses.length === 0 ? checkPort(port) : checkPortExcept(port, addresses);
      }),
    );
    return wanted
      .filter((_port, index) => verdicts[index] === 'taken')
      .map((port) => ({ port, problem: portProblem(port) }));
  }

  /** Places of a config that need IPv6 on this machine, which has none. */
  ipv6Places(config: KindConfig, interfaces = networkInterfaces()): { where: string; problem: string }[] {
    const has = Object.values(interfaces).some((addresses) =>
      addresses?.some(({ family }) => family === 'IPv6'),
    );
    return has
      ? []
      : ipv6Addresses(config).map(({ where, address }) => ({
          where,
          problem: `this machine has no IPv6, which the address ${address} needs`,
        }));
  }

  /** Whether the Kubernetes versions of a config are compatible with the provisioner. */
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
          level: isUnfit(fits) ? ('warning' as const) : ('ok' as const),
          message: reason === null ? `${bare} was built for ${provisioner.name}` : `${bare} ${reason}`,
          fix: null,
        },
      ];
    });
  }

  /** inotify, memory and disk. Omits checks that the host does not support. */
  async host(runtime: RuntimeDriver, shape: ClusterShape): Promise<HostFinding[]> {
    const findings = await Promise.all([this.inotify(), this.memory(runtime, shape), this.disk(runtime)]);
    return findings.filter((finding) => finding !== undefined);
  }

  private async inotify(): Promise<HostFinding | undefined> {
    const [watches, instances] = await Promise.all([
      readNumber('/proc/sys/fs/inotify/max_user_watches'),
      readNumber('/proc/sys/fs/inotify/max_user_instances'),
    ]);
    // On other systems the limits of the engine's virtual machine apply, which cannot be read here.
    if (watches === undefined || instances === undefined) return undefined;
    return finding(
      'inotify',
      'inotify limits',
      watches >= INOTIFY_WATCHES && instances >= INOTIFY_INSTANCES,
      {
        ok: `${watches} watches, ${instances} instances`,
        warning: `${watches} watches and ${instances} instances are too few: clusters with several nodes fail with "too many open files"`,
        fix: `sudo sysctl fs.inotify.max_user_watches=${INOTIFY_WATCHES} fs.inotify.max_user_instances=${INOTIFY_INSTANCES}`,
      },
    );
  }

  /** Bytes that nodes take, and bytes that are free for them; undefined if the host does not tell. */
  async memoryFor(
    runtime: RuntimeDriver,
    { controlPlanes, workers }: ClusterShape,
  ): Promise<{ needed: number; available: number | undefined }> {
    const needed = controlPlanes * MEMORY_PER_CONTROL_PLANE + workers * MEMORY_PER_WORKER;
    const text = await readFile('/proc/meminfo', 'utf8').catch(() => '');
    const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(text)?.[1];
    if (kilobytes === undefined) return { needed, available: undefined };
    const free = Number(kilobytes) * 1024;
    // An engine in a virtual machine reports its total memory, which is less than that of the host.
    return { needed, available: Math.min(free, runtime.info().host.memoryBytes || free) };
  }

  private async memory(runtime: RuntimeDriver, shape: ClusterShape): Promise<HostFinding | undefined> {
    const { needed, available } = await this.memoryFor(runtime, shape);
    if (available === undefined) return undefined;
    return finding('memory', 'Memory free', available >= needed, {
      ok: `${gigabytes(available)} GB`,
      warning: `${gigabytes(available)} GB free; these nodes need about ${gigabytes(needed)} GB`,
      fix: 'Stop other clusters or programs, or create fewer nodes.',
    });
  }

  private async disk(runtime: RuntimeDriver): Promise<HostFinding | undefined> {
    const free = await freeDisk(runtime);
    if (free === undefined) return undefined;
    return finding('disk', 'Disk free', free >= DISK_FLOOR, {
      ok: `${gigabytes(free)} GB`,
      warning: `${gigabytes(free)} GB free on the disk with the images; below 5 GB nodes evict Pods`,
      fix: `${runtime.id} system prune`,
    });
  }
}

function finding(
  name: string,
  title: string,
  enough: boolean,
  texts: { ok: string; warning: string; fix: string },
): HostFinding {
  return enough
    ? { name, title, level: 'ok', message: texts.ok, fix: null }
    : { name, title, level: 'warning', message: texts.warning, fix: texts.fix };
}

async function readNumber(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.trim());
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0);
}
