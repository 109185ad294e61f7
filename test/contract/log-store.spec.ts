import { openEmbeddedLogStore } from '../../backend/src/drivers/log-store/embedded/index.js';
import type { LogStoreCapabilities } from '../../backend/src/drivers/log-store/index.js';
import { MemoryLogStore } from '../support/logs/memory-log-store.js';
import { describeLogStore } from './ports/log-store.js';

const capabilities: LogStoreCapabilities = { deletion: 'erase', retention: 'store', regex: 'javascript' };

// The suite itself is right if its model passes.
describeLogStore('in-memory', {
  capabilities,
  open: async (folder, limits) => MemoryLogStore.open(limits, folder),
});

describeLogStore('embedded', { capabilities, open: openEmbeddedLogStore });
