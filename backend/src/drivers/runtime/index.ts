export { assertAvailable } from './assert-available.js';
export { freeDisk } from './free-disk.js';
export { localHost } from './discovery/host-view.js';
export { EngineDiscovery } from './discovery/engine-discovery.js';
export { fullReference, fullRepository } from './image-reference.js';
export { LocalRuntimeRegistry } from './local-runtime-registry.js';
export { CLUSTER_LABEL, ROLE_LABEL, RuntimeDriver } from './runtime-driver.js';
export type {
  ClusterContainer,
  ClusterObjects,
  ClusterVolume,
  EngineImage,
  EngineVolume,
  LocalImage,
  NodeContainer,
  NodeEvent,
  NodeExecution,
  NodeMount,
  NodeRole,
  NodeSample,
  NodeSettings,
  ProviderSettings,
  PublishedPort,
  PullProgress,
  RestartPolicy,
  RuntimeInfo,
} from './runtime-driver.js';
export { RuntimeRegistry } from './runtime-registry.js';
export type { RuntimeStatus } from './runtime-registry.js';
export { ContainerLogs } from './container-logs.js';
export type {
  ContainerLogFormat,
  LoggedContainer,
  LogPiece,
  LogStart,
  LogStream,
  NodeState,
} from './container-logs.js';
export { receivedChunks } from './engine/logs/received-chunks.js';
export { TimedLines } from './engine/logs/timed-lines.js';
export { retryWhileUnavailable } from './retry-while-unavailable.js';
