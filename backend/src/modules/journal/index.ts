export { shortId } from './journal-entry.js';
export type { JournalEntry, NewJournalEntry } from './journal-entry.js';
export { JournalEntryDto, type JournalPageDto } from './journal.dto.js';
export { JournalEntriesModule } from './journal-entries.module.js';
export { JournalModule } from './journal.module.js';
export { JournalService } from './journal.service.js';
export { JournalStore } from './journal.store.js';
export { NodeEvents, type EngineNodeEvent } from './node-events.js';
export { OwnChanges, OwnJobs } from './own-changes.js';
