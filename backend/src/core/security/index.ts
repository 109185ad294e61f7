export { AccessGuard } from './access.guard.js';
export * from './grammar.js';
export { RequestGate } from './request-gate.js';
