export { PORT, type ForwardDto, type StartForwardDto } from './forwards.dto.js';
export { ForwardsModule } from './forwards.module.js';
export { ForwardsService } from './forwards.service.js';
export type { RunningForward } from './running-forward.js';
export { findPodPort } from './target/find-target.js';
export {
  FORWARD_PROTOCOLS,
  type ForwardPlural,
  type ForwardProtocol,
  type ForwardTo,
} from './target/forward-kinds.js';
export { isRunning } from './target/pod-choice.js';
export { declaredPorts, protocolOf } from './target/port-choice.js';
