import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealedSecretStore } from '../../../core/secrets/index.js';
import { checkSchema, readValues, type Chart } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { yaml } from '../release/addon-yaml-process.js';
import { kialiPaths } from '../values/kiali-values.js';

/** Validates the values of a request and prepares them for helm. */
@Injectable()
export class AddonValues {
  constructor(private readonly secrets: SealedSecretStore) {}

  /**
   * Returns the values unchanged, except for Kiali: its sign-in settings are set by Slipway.
   * @throws DomainError `values_refused` for invalid YAML, values that violate the chart's schema, and values that
   *   would make Kiali require a sign-in.
   */
  async prepare(cluster: ClusterKey, chart: Chart, given: string): Promise<string> {
    const places = kialiPaths(chart);
    const key = places.length === 0 ? '' : this.signingKeyOf(cluster);
    const text = await yaml.preparedValues(given, places, key);
    await checkSchema(chart, text, given);
    return text;
  }

  /** Checks values before the cluster exists. @throws DomainError `values_refused` */
  async assertFits(chart: Chart, given: string): Promise<void> {
    await readValues(given);
    await checkSchema(chart, given);
  }

  /** Checks values without the chart. @throws DomainError `values_refused` */
  async assertReadable(chart: string, given: string): Promise<void> {
    await yaml.preparedValues(given, kialiPaths({ name: chart, dependencies: [] }), '');
  }

  /** The chart generates a new key at each render if it gets none, which would restart Kiali. */
  private signingKeyOf({ name, runtime }: ClusterKey): string {
    const id = `kiali-signing-key:${runtime}/${name}`;
    const existing = this.secrets.get(id);
    if (existing !== undefined) return existing;
    const key = randomBytes(16).toString('hex');
    this.secrets.put(id, key);
    return key;
  }
}
