import { afterAll, beforeAll, describe } from '@jest/globals';
import { LOG_STORE_CAPABILITIES } from '../../backend/src/drivers/log-store/log-store.js';
import { openVictoriaLogsStore } from '../../backend/src/drivers/log-store/victorialogs/victoria-logs-store.js';
import { describeLogStore } from '../contract/ports/log-store.js';
import { VictoriaLogs } from './support/victoria-logs.js';

describe('the log store contract with a real VictoriaLogs', () => {
  let database: VictoriaLogs;

  beforeAll(async () => {
    database = await VictoriaLogs.node();
  });

  afterAll(() => database.discard());

  describeLogStore('victorialogs', {
    capabilities: LOG_STORE_CAPABILITIES.victorialogs,
    // Each folder is a store of its own in the one database.
    open: (folder) => openVictoriaLogsStore(database.url, folder),
  });
});
