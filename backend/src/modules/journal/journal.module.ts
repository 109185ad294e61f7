import { Module } from '@nestjs/common';
import { AuditDelivery } from './audit-delivery.js';
import { ChangesWhileStopped } from './changes-while-stopped.js';
import { EngineAvailability } from './engine-availability.js';
import { NodeEvents } from './node-events.js';
import { OutOfMemory } from './out-of-memory.js';
import { OwnChanges } from './own-changes.js';
import { SeenNodesStore } from './seen-nodes.store.js';
import { JournalController } from './journal.controller.js';
import { JournalEntriesModule } from './journal-entries.module.js';
import { JournalExport } from './journal-export.js';

/** The journal of the dashboard: its routes, and entries about what the engines report. */
@Module({
  imports: [JournalEntriesModule],
  controllers: [JournalController],
  providers: [
    AuditDelivery,
    ChangesWhileStopped,
    EngineAvailability,
    JournalExport,
    NodeEvents,
    OutOfMemory,
    OwnChanges,
    SeenNodesStore,
  ],
  exports: [AuditDelivery, JournalEntriesModule, NodeEvents, OwnChanges],
})
export class JournalModule {}
