export { AccessPolicy, type PageSession } from './access-policy.js';
export { hostLiteral, ipv6Groups, isIn, isLoopbackAddress, plainAddress } from './address.js';
export { basePathOf, pathOf, serveBelow } from './base-path.js';
export { clusterUse, CountsAsChange, KeepsCluster, KindClustersOnly } from './cluster-changes.js';
export { clientOf } from './client.js';
export { isUnencrypted, schemeOf, UNENCRYPTED_FIX } from './encryption.js';
export { AccessGuard } from './access.guard.js';
export { GuardedController } from './guarded-controller.js';
export * from './grammar.js';
export { SocketOwners } from './socket-owner.js';
export { LOOPBACK_HOST, LoopbackGuard } from './loopback.guard.js';
export {
  acceptsHostAccess,
  needsPassword,
  NeedsPassword,
  needsRecentPassword,
  NeedsRecentPassword,
  requireRecentPassword,
  setRecentPasswordCheck,
} from './needs-password.js';
export { OneTimeTokens } from './one-time-tokens.js';
export { OwnerToken } from './owner-token.js';
export { localUserName, processUserName } from './process-user.js';
export { isOwnCookie, ownCookies, readOwnCookie, type OwnCookie } from './own-cookies.js';
export { Public, PUBLIC_EXTENSION } from './public.js';
export * from './host-origin-guard.js';
export { isSameText } from './same-text.js';
export {
  DryRunScope,
  enforceScope,
  requireFullScope,
  RouteScope,
  SCOPE_EXTENSION,
  TOKEN_SCOPES,
  type RouteScopeName,
  type TokenScope,
} from './token-scope.js';
