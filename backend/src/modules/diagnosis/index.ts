export { CAUSE_CODES, EvidenceDto, type CauseCode, type CauseDto } from './diagnosis.dto.js';
export { causesOf, presentCause, type FoundCause } from './diagnosis.service.js';
export { DiagnosisModule } from './diagnosis.module.js';
export { DiagnosisService, type OfferedFix } from './diagnosis.service.js';
export { FIX_CODES, type FixCode } from './diagnosis.dto.js';
export { lastLines } from './last-lines.js';
export type { FixPlan } from './fix.js';
