export { AccessGuard } from './access.guard.js';
export * from './grammar.js';
export { LoopbackGuard } from './loopback.guard.js';
export { mediaType, RequestGate, unsupportedType, YAML_TYPES } from './request-gate.js';
