import type { Chart, ChartSource } from '../../package-manager/index.js';

/** A part of an app that a chart installs. */
export interface ChartPart {
  /** Behind the release's name; empty for the main part. */
  suffix: string;
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  image: string;
  /** Of its service; without one it has none. */
  port?: number;
}

/** What is known in the demo of a chart: what it would install, without its templates. */
export interface DemoChart {
  name: string;
  version: string;
  appVersion: string;
  description: string;
  /** `values.yaml`, comments kept. */
  values: string;
  parts: readonly ChartPart[];
  /** Kinds that it defines, as `Certificate.cert-manager.io/v1`. */
  definitions: readonly string[];
  /** Whether it measures for `metrics.k8s.io`. */
  measures?: true;
}

const REPLICAS = '# How many of the main part run.\nreplicas: 1\n';

/** What `values.schema.json` of each would say: no more than what the demo makes of values. */
const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { replicas: { type: 'integer', minimum: 0 } },
});

const METRICS_SERVER: DemoChart = {
  name: 'metrics-server',
  version: '3.13.1',
  appVersion: '0.8.1',
  description: 'Measures CPU and memory of pods and nodes.',
  values: `${REPLICAS}args: []\n`,
  parts: [
    {
      suffix: '',
      kind: 'Deployment',
      image: 'registry.k8s.io/metrics-server/metrics-server:v0.8.1',
      port: 443,
    },
  ],
  definitions: [],
  measures: true,
};

/** The charts of the demo's repositories: those of well-known addons, as far as their parts go. */
export const DEMO_CHARTS: readonly DemoChart[] = [
  METRICS_SERVER,
  {
    name: 'traefik',
    version: '41.3.0',
    appVersion: 'v3.7.11',
    description: 'Leads HTTP from outside to services.',
    values: `${REPLICAS}service:\n  spec:\n    type: LoadBalancer\n`,
    parts: [{ suffix: '', kind: 'Deployment', image: 'docker.io/traefik:v3.7.11', port: 80 }],
    definitions: ['IngressRoute.traefik.io/v1alpha1', 'Middleware.traefik.io/v1alpha1'],
  },
  {
    name: 'cert-manager',
    version: 'v1.21.1',
    appVersion: 'v1.21.1',
    description: 'Issues and renews certificates.',
    values: `${REPLICAS}crds:\n  enabled: false\n  keep: true\n`,
    parts: [
      {
        suffix: '',
        kind: 'Deployment',
        image: 'quay.io/jetstack/cert-manager-controller:v1.21.1',
        port: 9402,
      },
      {
        suffix: '-cainjector',
        kind: 'Deployment',
        image: 'quay.io/jetstack/cert-manager-cainjector:v1.21.1',
      },
      {
        suffix: '-webhook',
        kind: 'Deployment',
        image: 'quay.io/jetstack/cert-manager-webhook:v1.21.1',
        port: 443,
      },
    ],
    definitions: ['Certificate.cert-manager.io/v1', 'Issuer.cert-manager.io/v1'],
  },
  {
    name: 'kube-prometheus-stack',
    version: '88.5.3',
    appVersion: 'v0.93.1',
    description: 'Collects figures, draws them and raises alerts.',
    values: `${REPLICAS}kubeControllerManager:\n  enabled: true\nkubeScheduler:\n  enabled: true\n`,
    parts: [
      {
        suffix: '-operator',
        kind: 'Deployment',
        image: 'quay.io/prometheus-operator/prometheus-operator:v0.93.1',
      },
      { suffix: '-grafana', kind: 'Deployment', image: 'docker.io/grafana/grafana:13.0.1', port: 80 },
      {
        suffix: '-prometheus',
        kind: 'StatefulSet',
        image: 'quay.io/prometheus/prometheus:v3.9.1',
        port: 9090,
      },
      {
        suffix: '-alertmanager',
        kind: 'StatefulSet',
        image: 'quay.io/prometheus/alertmanager:v0.31.0',
        port: 9093,
      },
      { suffix: '-node-exporter', kind: 'DaemonSet', image: 'quay.io/prometheus/node-exporter:v1.11.0' },
    ],
    definitions: ['Prometheus.monitoring.coreos.com/v1', 'ServiceMonitor.monitoring.coreos.com/v1'],
  },
  {
    name: 'base',
    version: '1.30.4',
    appVersion: '1.30.4',
    description: 'The definitions of Istio.',
    values: 'defaultRevision: default\n',
    parts: [],
    definitions: ['VirtualService.networking.istio.io/v1', 'DestinationRule.networking.istio.io/v1'],
  },
  {
    name: 'istiod',
    version: '1.30.4',
    appVersion: '1.30.4',
    description: 'The control plane of Istio.',
    values: `${REPLICAS}resources:\n  requests:\n    cpu: 500m\n    memory: 2048Mi\n`,
    parts: [{ suffix: '', kind: 'Deployment', image: 'docker.io/istio/pilot:1.30.4', port: 15012 }],
    definitions: [],
  },
  {
    name: 'kiali-server',
    version: '2.29.0',
    appVersion: 'v2.29.0',
    description: 'Shows the mesh.',
    values: `${REPLICAS}auth:\n  strategy: ""\ndeployment:\n  view_only_mode: false\n`,
    parts: [{ suffix: '', kind: 'Deployment', image: 'quay.io/kiali/kiali:v2.29.0', port: 20001 }],
    definitions: [],
  },
  {
    name: 'argo-cd',
    version: '10.1.1',
    appVersion: 'v3.4.4',
    description: 'Keeps what runs as a Git repository says.',
    values: `${REPLICAS}dex:\n  enabled: true\n`,
    parts: [
      { suffix: '-server', kind: 'Deployment', image: 'quay.io/argoproj/argocd:v3.4.4', port: 80 },
      { suffix: '-repo-server', kind: 'Deployment', image: 'quay.io/argoproj/argocd:v3.4.4', port: 8081 },
      { suffix: '-redis', kind: 'Deployment', image: 'docker.io/library/redis:8.2', port: 6379 },
      { suffix: '-application-controller', kind: 'StatefulSet', image: 'quay.io/argoproj/argocd:v3.4.4' },
    ],
    definitions: ['Application.argoproj.io/v1alpha1', 'AppProject.argoproj.io/v1alpha1'],
  },
  {
    name: 'metallb',
    version: '0.16.1',
    appVersion: 'v0.16.1',
    description: 'Gives addresses to services.',
    values: `${REPLICAS}frrk8s:\n  enabled: true\n`,
    parts: [
      { suffix: '-controller', kind: 'Deployment', image: 'quay.io/metallb/controller:v0.16.1' },
      { suffix: '-speaker', kind: 'DaemonSet', image: 'quay.io/metallb/speaker:v0.16.1' },
    ],
    definitions: ['IPAddressPool.metallb.io/v1beta1', 'L2Advertisement.metallb.io/v1beta1'],
  },
];

/** A chart as those see it who ask for one. */
export function chartOf(chart: DemoChart, source: ChartSource): Chart {
  const { name, version, appVersion, description, values, definitions } = chart;
  return {
    name,
    version,
    appVersion,
    description,
    kubeVersion: null,
    defaultValues: values,
    schema: SCHEMA,
    definitions: [...definitions],
    dependencies: [],
    source,
  };
}

/** What a chart installs; of one that somebody brought that is one part, as nobody reads its templates. */
export function partsOf({
  name,
  version,
  source,
}: Chart): Pick<DemoChart, 'parts' | 'definitions' | 'measures'> {
  const known = DEMO_CHARTS.find((chart) => chart.name === name);
  if (known && source.type !== 'archive') return known;
  const image = `shop/${name}:${version}`;
  return { parts: [{ suffix: '', kind: 'Deployment', image, port: 80 }], definitions: [] };
}

/** The one that is in every cluster of the demo from the beginning. */
export const METRICS_CHART: Chart = chartOf(METRICS_SERVER, {
  type: 'repository',
  repository: { url: 'https://kubernetes-sigs.github.io/metrics-server/' },
  chart: 'metrics-server',
});
