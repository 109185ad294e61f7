import type { PortMoveDto } from './clone.dto.js';
import { checkPort } from '../preflight/port-check.js';
import type { ClaimedPort } from '../preflight/claimed-ports.js';
import {
  type HostPort,
  type KindConfig,
  portsClash,
  type WantedPort,
  wantedPorts,
} from '../../kind-config/index.js';

const HIGHEST = 65_535;
const PRIVILEGED_BELOW = 1024;
/** Maps 80 to 8080 and 443 to 8443, as is usual. */
const PRIVILEGED_SHIFT = 8000;

export async function movePorts(
  config: KindConfig,
  claimed: readonly ClaimedPort[],
  isFree: (port: WantedPort) => Promise<boolean> = async (port) => (await checkPort(port)) !== 'taken',
): Promise<PortMoveDto[]> {
  const moves: PortMoveDto[] = [];
  const wanted = wantedPorts(config);
  const others = new PortIndex(claimed);
  /** Ports of this config, so that none moves onto another. */
  const own = new PortIndex(wanted);
  for (const port of wanted) {
    const claim = others.find(port);
    if (claim === undefined && (await isFree(port))) continue;
    const to = await nextFree(port, [others, own], isFree);
    if (to === undefined) continue;
    own.add({ ...port, port: to });
    moves.push({
      where: port.where,
      address: port.address,
      protocol: port.protocol,
      from: port.port,
      to,
      reason: claim ? `${claim.owner.name} ${claim.held ? 'uses' : 'needs'} it` : 'another program uses it',
    });
  }
  return moves;
}

/** Ports by number: a config of 100 kB has thousands of ports, each compared with all others. */
class PortIndex<TPort extends HostPort> {
  private readonly byNumber = new Map<number, TPort[]>();

  constructor(ports: readonly TPort[]) {
    for (const port of ports) this.add(port);
  }

  add(port: TPort): void {
    const same = this.byNumber.get(port.port);
    if (same) same.push(port);
    else this.byNumber.set(port.port, [port]);
  }

  find(port: HostPort): TPort | undefined {
    return this.byNumber.get(port.port)?.find((other) => portsClash(port, other));
  }
}

async function nextFree(
  port: WantedPort,
  taken: readonly PortIndex<HostPort>[],
  isFree: (port: WantedPort) => Promise<boolean>,
): Promise<number | undefined> {
  const first = port.port < PRIVILEGED_BELOW ? port.port + PRIVILEGED_SHIFT : port.port + 1;
  for (let candidate = first; candidate <= HIGHEST; candidate += 1) {
    const moved = { ...port, port: candidate };
    if (taken.every((ports) => !ports.find(moved)) && (await isFree(moved))) return candidate;
  }
  return undefined;
}
