import { MemoryLogStore } from '../support/logs/memory-log-store.js';
import { describeLogStore } from './ports/log-store.js';

describeLogStore('in-memory', {
  capabilities: { deletion: 'erase', retention: 'store', regex: 'javascript' },
  open: async (folder, limits) => MemoryLogStore.open(limits, folder),
});
