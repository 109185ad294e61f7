export { AccessGuard } from './access.guard.js';
export * from './grammar.js';
export { mediaType, RequestGate, unsupportedType, YAML_TYPES } from './request-gate.js';
