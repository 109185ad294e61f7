import { type HostPort, portsClash, type WantedPort } from '../../kind-config/index.js';
import { checkPort } from './port-check.js';

const HIGHEST = 65_535;
const PRIVILEGED_BELOW = 1024;
/** Maps 80 to 8080 and 443 to 8443, as is usual. */
const PRIVILEGED_SHIFT = 8000;

export async function isPortFree(port: WantedPort): Promise<boolean> {
  return (await checkPort(port)) !== 'taken';
}

/** Ports by number: a config of 100 kB has thousands of ports, each compared with all others. */
export class PortIndex<TPort extends HostPort> {
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

/** The next host port that is free on the same address and that no other configuration wants. */
export async function nextFree(
  port: WantedPort,
  taken: readonly PortIndex<HostPort>[],
  isFree = isPortFree,
): Promise<number | undefined> {
  const first = port.port < PRIVILEGED_BELOW ? port.port + PRIVILEGED_SHIFT : port.port + 1;
  for (let candidate = first; candidate <= HIGHEST; candidate += 1) {
    const moved = { ...port, port: candidate };
    if (taken.every((ports) => !ports.find(moved)) && (await isFree(moved))) return candidate;
  }
  return undefined;
}
