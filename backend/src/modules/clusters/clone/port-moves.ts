import type { Document } from 'yaml';
import { wantedPorts, type KindConfig, type WantedPort } from '../kind-config/kind-config.js';
import { checkPort } from '../port-check.js';

/** A port that somebody has or wants, and who. */
export interface ClaimedPort {
  address: string;
  port: number;
  protocol: string;
  owner: string;
}

/** A host port that was taken, and where it went. */
export interface PortMove {
  /** Where the config says so, `nodes[0].extraPortMappings[1].hostPort`. */
  where: string;
  address: string;
  protocol: string;
  from: number;
  to: number;
  /** Who has the old one. */
  reason: string;
}

const HIGHEST = 65_535;
const PRIVILEGED_BELOW = 1024;
/** 80 becomes 8080 and 443 becomes 8443, as people write it themselves. */
const PRIVILEGED_SHIFT = 8000;

/**
 * Moves the host ports of a config that somebody has already to the next free ones, in the document itself:
 * comments and order stay.
 */
export async function movePorts(
  document: Document,
  config: KindConfig,
  claimed: readonly ClaimedPort[],
  isFree: (port: WantedPort) => Promise<boolean> = async (port) => (await checkPort(port)) !== 'taken',
): Promise<PortMove[]> {
  const moves: PortMove[] = [];
  const wanted = wantedPorts(config);
  /** Ports of this very config: one must not be moved onto another. */
  const own: ClaimedPort[] = wanted.map((port) => ({ ...port, owner: '' }));
  for (const port of wanted) {
    const owner = claimed.find((other) => meets(port, other))?.owner;
    if (owner === undefined && (await isFree(port))) continue;
    const to = await nextFree(port, [...claimed, ...own], isFree);
    if (to === undefined) continue;
    own.push({ ...port, port: to, owner: '' });
    document.setIn(pathOf(port.where), to);
    moves.push({
      where: port.where,
      address: port.address,
      protocol: port.protocol,
      from: port.port,
      to,
      reason: owner ?? 'another program on this machine has it',
    });
  }
  return moves;
}

async function nextFree(
  port: WantedPort,
  claimed: readonly ClaimedPort[],
  isFree: (port: WantedPort) => Promise<boolean>,
): Promise<number | undefined> {
  const first = port.port < PRIVILEGED_BELOW ? port.port + PRIVILEGED_SHIFT : port.port + 1;
  for (let candidate = first; candidate <= HIGHEST; candidate += 1) {
    const moved = { ...port, port: candidate };
    if (!claimed.some((other) => meets(moved, other)) && (await isFree(moved))) return candidate;
  }
  return undefined;
}

function meets(one: Omit<ClaimedPort, 'owner'>, other: Omit<ClaimedPort, 'owner'>): boolean {
  if (one.port !== other.port || one.protocol !== other.protocol) return false;
  return one.address === other.address || isAny(one.address) || isAny(other.address);
}

function isAny(address: string): boolean {
  return address === '' || address === '0.0.0.0' || address === '::';
}

/** `nodes[0].hostPort` as a path into the document. */
function pathOf(where: string): (string | number)[] {
  return where
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
