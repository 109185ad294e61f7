import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealedSecrets } from '../../../core/secrets/index.js';
import { type Chart, checkSchema, isMap, parseValues } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import { anonymousKiali, kialiPlaces, valuesText } from '../values/kiali-values.js';

/** Turns the values that somebody gives into those that a chart is given. */
@Injectable()
export class AddonValues {
  constructor(private readonly secrets: SealedSecrets) {}

  /**
   * The text that helm is given by file: as it was sent, but for Kiali, whose values are written anew.
   * @throws DomainError `values_refused` for what is no YAML, what the chart's schema refuses, and what would make
   *   somebody sign in to Kiali.
   */
  async prepare(cluster: ClusterKey, chart: Chart, given: string): Promise<string> {
    let values = parseValues(given);
    let text = given;
    for (const place of kialiPlaces(chart)) {
      values = anonymousKiali(values, place, await this.signingKeyOf(cluster), given);
      text = valuesText(values);
    }
    await checkSchema(chart.schema, parseValuesOf(chart), values, given);
    return text;
  }

  /** Whether the chart itself takes them, before there is a cluster. @throws DomainError `values_refused` */
  async assertFits(chart: Chart, given: string): Promise<void> {
    await checkSchema(chart.schema, parseValuesOf(chart), parseValues(given), given);
  }

  /** As much as can be said before the chart is at hand. @throws DomainError `values_refused` */
  assertReadable(chart: string, given: string): void {
    const values = parseValues(given);
    for (const place of kialiPlaces({ name: chart, dependencies: [] })) {
      anonymousKiali(values, place, '', given);
    }
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

/** The chart's own values; what cannot be read of them is helm's to complain of. */
function parseValuesOf({ defaultValues }: Chart): Record<string, unknown> {
  try {
    const own: unknown = parseValues(defaultValues);
    return isMap(own) ? own : {};
  } catch {
    return {};
  }
}
