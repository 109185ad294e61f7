export { shortId } from './journal-entry.js';
export type { JournalEntry, NewJournalEntry } from './journal-entry.js';
export { JournalEntryDto, type JournalPageDto } from './journal.dto.js';
export { JournalApiModule } from './journal-api.module.js';
export { JournalModule } from './journal.module.js';
export { JournalService } from './journal.service.js';
export { JournalStore } from './journal.store.js';
