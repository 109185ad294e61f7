import type { Chart, ChartSource } from '../../package-manager/index.js';
import { recordedJson } from '../recorded.js';

export interface ChartPart {
  /** Added to the release name; empty for the main part. */
  suffix: string;
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  image: string;
  /** Port of its service. Parts without a port have no service. */
  port?: number;
}

/** A chart of the demo: the objects it installs, without templates. */
export interface DemoChart {
  name: string;
  version: string;
  appVersion: string;
  description: string;
  /** `values.yaml` with comments. */
  values: string;
  parts: readonly ChartPart[];
  /** Kinds that it defines, such as `Certificate.cert-manager.io/v1`. */
  crds: readonly string[];
  /** Whether it serves `metrics.k8s.io`. */
  metrics?: true;
}

/** The `values.schema.json` of every chart. It covers the value that the demo uses. */
const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { replicas: { type: 'integer', minimum: 0 } },
});

/** The charts of the demo's repositories: shortened versions of well-known addons. */
export const DEMO_CHARTS = recordedJson<DemoChart[]>('charts.json');

export function chartOf(chart: DemoChart, source: ChartSource): Chart {
  const { name, version, appVersion, description, values, crds } = chart;
  return {
    name,
    version,
    appVersion,
    description,
    kubeVersion: null,
    defaultValues: values,
    schema: SCHEMA,
    crds: [...crds],
    dependencies: [],
    source,
  };
}

/** The objects of a chart. The demo does not render templates: an uploaded chart is one Deployment. */
export function partsOf({ name, version, source }: Chart): Pick<DemoChart, 'parts' | 'crds' | 'metrics'> {
  const known = DEMO_CHARTS.find((chart) => chart.name === name);
  if (known && source.type !== 'archive') return known;
  const image = `shop/${name}:${version}`;
  return { parts: [{ suffix: '', kind: 'Deployment', image, port: 80 }], crds: [] };
}
