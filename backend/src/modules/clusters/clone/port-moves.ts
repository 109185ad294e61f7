import type { PortMoveDto } from './clone.dto.js';
import { isPortFree, nextFree, PortIndex } from '../preflight/next-port.js';
import type { ClaimedPort } from '../preflight/claimed-ports.js';
import { type KindConfig, wantedPorts } from '../../kind-config/index.js';

export async function movePorts(
  config: KindConfig,
  claimed: readonly ClaimedPort[],
  isFree = isPortFree,
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
