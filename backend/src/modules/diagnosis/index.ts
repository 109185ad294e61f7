export { CAUSE_CODES, EvidenceDto, type CauseCode } from './diagnosis.dto.js';
export { DiagnosisModule } from './diagnosis.module.js';
