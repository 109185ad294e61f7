export { DiagnosisModule } from './diagnosis.module.js';
