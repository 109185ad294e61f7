export { AccessPolicy, type PageSession } from './access-policy.js';
export { hostLiteral, isLoopbackAddress, plainAddress } from './address.js';
export { clientOf, type Client } from './client.js';
export { AccessGuard } from './access.guard.js';
export * from './grammar.js';
export { SocketOwners } from './socket-owner.js';
export { LoopbackGuard } from './loopback.guard.js';
export { Public, PUBLIC_EXTENSION, PUBLIC_ROUTE } from './public.js';
export { mediaType, RequestGate, unsupportedType, YAML_TYPES } from './request-gate.js';
