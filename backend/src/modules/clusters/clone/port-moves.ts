import type { Document } from '../../../core/yaml/index.js';
import type { ClaimedPort } from '../claimed-ports.js';
import { portsClash, wantedPorts, type KindConfig, type WantedPort } from '../kind-config/kind-config.js';
import { checkPort } from '../port-check.js';

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
  const own: WantedPort[] = [...wanted];
  for (const port of wanted) {
    const claim = claimed.find((other) => portsClash(port, other));
    if (claim === undefined && (await isFree(port))) continue;
    const to = await nextFree(port, [...claimed, ...own], isFree);
    if (to === undefined) continue;
    own.push({ ...port, port: to });
    document.setIn(pathOf(port.where), to);
    moves.push({
      where: port.where,
      address: port.address,
      protocol: port.protocol,
      from: port.port,
      to,
      reason: claim
        ? `${claim.owner.name} ${claim.held ? 'has' : 'needs'} it`
        : 'another program on this machine has it',
    });
  }
  return moves;
}

async function nextFree(
  port: WantedPort,
  claimed: readonly (ClaimedPort | WantedPort)[],
  isFree: (port: WantedPort) => Promise<boolean>,
): Promise<number | undefined> {
  const first = port.port < PRIVILEGED_BELOW ? port.port + PRIVILEGED_SHIFT : port.port + 1;
  for (let candidate = first; candidate <= HIGHEST; candidate += 1) {
    const moved = { ...port, port: candidate };
    if (!claimed.some((other) => portsClash(moved, other)) && (await isFree(moved))) return candidate;
  }
  return undefined;
}

/** `nodes[0].hostPort` as a path into the document. */
function pathOf(where: string): (string | number)[] {
  return where
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
