export { DiagnosticsDto } from './diagnostics.dto.js';
export { DiagnosticsModule } from './diagnostics.module.js';
