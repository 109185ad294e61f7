export { CHANGE_FAILURES } from './change/change-failures.js';
export { ChangeJournal, type Changed } from './change/change-journal.js';
export { addressOf, findTarget, presentReference } from './change/change-target.js';
export type { AddressParameters, ChangeTarget, ObjectAddress } from './change/change-target.js';
export { warningsOf } from './change/change-warnings.js';
export { ChangeQueryDto } from './change/change.dto.js';
export { ResourceChangesModule } from './resource-changes.module.js';
