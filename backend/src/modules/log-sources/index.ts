export { LineBus, type AppendedLines } from './line-bus.js';
export { LogIntake } from './log-intake.js';
export { LogSourceDto } from './log-source.dto.js';
export { LogSourcesModule } from './log-sources.module.js';
export { LogStoreAccess } from './log-store-access.js';
export type { LogStoreDto, LogStoreHealth } from './log-store.dto.js';
export { SlidingWindow } from './sliding-window.js';
export { SourceRegistry } from './source-registry.js';
export type { SourceState } from './source-state.js';
