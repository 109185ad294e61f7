export { ClaimedPorts, type ClaimedPort } from './claimed-ports.js';
export { checkPort } from './port-check.js';
export { PortHolders } from './port-holders.js';
export { Preflight, type HostFinding } from './preflight.js';
