import { Global, Module, Scope, type DynamicModule, type Provider } from '@nestjs/common';
import { INQUIRER } from '@nestjs/core';
import { Configuration } from '../core/config/index.js';
import { AppLogger } from '../core/logging/index.js';
import { SealedSecretStore, Secrets } from '../core/secrets/index.js';
import { AccessGuard, HostOriginGuard, OwnerToken } from '../core/security/index.js';
import { Database, DataDirectory, StorageHealth } from '../core/storage/index.js';
import { StoredLogs } from '../drivers/log-store/index.js';
import type { SharedLogs, SharedProblems } from '../modules/log-sources/index.js';
import type { Engines } from './engines.js';

/** The names of the two applications, which select one to start. */
export type ApplicationName = 'dashboard' | 'log-board';

/** Created before Nest starts, so that a failure ends the start with a message for the user. */
export interface Foundation {
  configuration: Configuration;
  logger: AppLogger;
  dataDirectory: DataDirectory;
  database: Database;
  /** Access to the engines, created on first use. */
  engines: () => Promise<Engines>;
  secrets: Secrets;
  storedLogs: StoredLogs;
  ownerToken: OwnerToken;
  /** From the dashboard to the log board. */
  problems: SharedProblems;
  /** From the log board to the dashboard. */
  logs: SharedLogs;
  /** The applications that this process runs. */
  applications: readonly ApplicationName[];
}

@Global()
@Module({})
export class CoreModule {
  static with(foundation: Foundation): DynamicModule {
    const { configuration, logger, dataDirectory, database, secrets, storedLogs, ownerToken } = foundation;
    const providers: Provider[] = [
      { provide: Configuration, useValue: configuration },
      {
        // Each class gets its own logger, with its name in the entries.
        provide: AppLogger,
        scope: Scope.TRANSIENT,
        inject: [INQUIRER],
        useFactory: (owner: object) => logger.child({ context: owner.constructor.name }),
      },
      { provide: DataDirectory, useValue: dataDirectory },
      { provide: Database, useValue: database },
      { provide: Secrets, useValue: secrets },
      { provide: SealedSecretStore, useValue: secrets.sealed },
      { provide: StoredLogs, useValue: storedLogs },
      { provide: OwnerToken, useValue: ownerToken },
      { provide: StorageHealth, useValue: new StorageHealth(database) },
      AccessGuard,
      HostOriginGuard,
    ];
    return { module: CoreModule, providers, exports: providers };
  }
}
