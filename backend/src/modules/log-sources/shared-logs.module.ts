import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import type { AppLogger } from '../../core/logging/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import { StoredLogs } from '../../drivers/log-store/index.js';
import { ExternalHistories } from './external-histories.js';
import { KnownProblems, type SharedProblems } from './known-problems.js';
import { LogStoreAccess } from './log-store-access.js';
import { SourceRegistry } from './source-registry.js';
import { SourceSettingsStore } from './source-settings.store.js';

/** The store and the sources of one process: the log board opens them, and the dashboard reads them, too. */
export interface SharedLogs {
  access?: LogStoreAccess;
  registry?: SourceRegistry;
  histories?: ExternalHistories;
}

interface LogsFoundation {
  logs: SharedLogs;
  problems: SharedProblems;
  /** Those that the process runs. */
  applications: readonly string[];
  logger: AppLogger;
}

type Parts = ConstructorParameters<typeof LogStoreAccess>;

/** Gives both applications of a process the same store and sources. */
@Global()
@Module({})
export class SharedLogsModule {
  /** @param foundation of the process */
  static with({ logs: shared, problems, applications, logger }: LogsFoundation): DynamicModule {
    const providers: Provider[] = [
      SourceSettingsStore,
      {
        provide: SourceRegistry,
        inject: [SourceSettingsStore],
        useFactory: (settings: SourceSettingsStore) => (shared.registry ??= new SourceRegistry(settings)),
      },
      {
        provide: LogStoreAccess,
        inject: [Configuration, DataDirectory, SourceRegistry, StoredLogs],
        useFactory: (...[configuration, folder, registry, stored]: Parts) => {
          const own = logger.child({ context: LogStoreAccess.name });
          shared.access ??= new LogStoreAccess(configuration, folder, registry, stored, own);
          // It alone opens the store.
          if (!applications.includes('log-board')) shared.access.refuse();
          return shared.access;
        },
      },
      { provide: ExternalHistories, useFactory: () => (shared.histories ??= new ExternalHistories()) },
      { provide: KnownProblems, useValue: Object.assign(new KnownProblems(), { shared: problems }) },
    ];
    return { module: SharedLogsModule, providers, exports: providers };
  }
}
