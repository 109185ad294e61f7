import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealedSecrets } from '../../../core/secrets/index.js';
import { type Chart, checkSchema, readValues } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { yaml } from '../addon-yaml.js';
import { kialiPlaces } from '../values/kiali-values.js';

/** Turns the values that somebody gives into those that a chart is given. */
@Injectable()
export class AddonValues {
  constructor(private readonly secrets: SealedSecrets) {}

  /**
   * The text that helm is given by file: as it was sent, except for Kiali, whose values are written by Slipway.
   * @throws DomainError `values_refused` for what is no YAML, what the chart's schema refuses, and what would make
   *   people sign in to Kiali.
   */
  async prepare(cluster: ClusterKey, chart: Chart, given: string): Promise<string> {
    const places = kialiPlaces(chart);
    const key = places.length === 0 ? '' : await this.signingKeyOf(cluster);
    const text = await yaml.preparedValues(given, places, key);
    await checkSchema(chart, text, given);
    return text;
  }

  /** Whether the chart itself takes them, before there is a cluster. @throws DomainError `values_refused` */
  async assertFits(chart: Chart, given: string): Promise<void> {
    await readValues(given);
    await checkSchema(chart, given);
  }

  /** As much as can be said before the chart is at hand. @throws DomainError `values_refused` */
  async assertReadable(chart: string, given: string): Promise<void> {
    await yaml.preparedValues(given, kialiPlaces({ name: chart, dependencies: [] }), '');
  }

  /** Kiali makes a new one at each render when it is given none, and restarts over it. */
  private async signingKeyOf({ name, runtime }: ClusterKey): Promise<string> {
    const sealed = await this.secrets.open();
    const kept = `kiali-signing-key:${runtime}/${name}`;
    const known = sealed.get(kept);
    if (known !== undefined) return known;
    const made = randomBytes(16).toString('hex');
    sealed.put(kept, made);
    return made;
  }
}
