import { readConfiguration, type Configuration } from '../../../backend/src/core/config/configuration.js';
import { EngineDiscovery } from '../../../backend/src/drivers/runtime/discovery/engine-discovery.js';
import { localHost } from '../../../backend/src/drivers/runtime/host/host-view.js';
import type { RuntimeDriver } from '../../../backend/src/drivers/runtime/runtime-driver.js';
import type { ScriptedMachine } from '../../support/scripted-machine.js';
import type { EngineName } from '../../transcripts/transcript.js';

/** The configuration on a scripted machine. */
export function configurationOf(machine: ScriptedMachine, extra: Record<string, string> = {}): Configuration {
  return readConfiguration({ ...machine.environment, APP_DATA_DIR: machine.folder, ...extra });
}

/** Discovers engines. */
export function discoveryOn(configuration: Configuration): EngineDiscovery {
  return new EngineDiscovery(configuration, localHost(configuration), () => Promise.resolve(true));
}

/** The driver of a scripted engine. */
export async function driverOf(machine: ScriptedMachine, engine: EngineName): Promise<RuntimeDriver> {
  const { driver, reason } = await discoveryOn(configurationOf(machine)).find(engine);
  if (!driver) throw new Error(reason ?? 'no driver');
  return driver;
}
