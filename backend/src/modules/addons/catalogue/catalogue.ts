import type { CatalogueEntry } from './catalogue-entry.js';

const ISTIO = { repository: 'https://istio-release.storage.googleapis.com/charts' };
const ISTIO_VERSION = '1.30.4';

/**
 * The addons that are offered, each with values that work on kind. Versions, sources and values were read in the
 * charts' own sources in autumn 2026; ingress-nginx, which ended its life that year, is not among them.
 */
export const CATALOGUE: readonly CatalogueEntry[] = [
  {
    name: 'metrics-server',
    title: 'Metrics Server',
    purpose: 'CPU and memory of pods and nodes, for their columns here, kubectl top and autoscalers.',
    category: 'metrics',
    source: { repository: 'https://kubernetes-sigs.github.io/metrics-server/' },
    chart: 'metrics-server',
    version: '3.13.1',
    appVersion: '0.8.1',
    namespace: 'kube-system',
    release: 'metrics-server',
    oldestKubernetes: null,
    values: [
      '# The kubelets of kind sign their own certificates.',
      'args:',
      '  - --kubelet-insecure-tls',
      '',
    ].join('\n'),
    notes: ['Takes about a minute after it is ready until there are figures.'],
    needs: [],
    hints: ['Try it with: kubectl top nodes'],
  },
  {
    name: 'traefik',
    title: 'Traefik',
    purpose: 'Leads HTTP from outside to services, by Ingress or Gateway API.',
    category: 'networking',
    source: { repository: 'https://traefik.github.io/charts' },
    chart: 'traefik',
    version: '41.3.0',
    appVersion: 'v3.7.11',
    namespace: 'traefik',
    release: 'traefik',
    oldestKubernetes: 25,
    values: [
      '# A cluster of kind gives no addresses to services of type LoadBalancer, unless MetalLB does.',
      'service:',
      '  spec:',
      '    type: NodePort',
      '',
    ].join('\n'),
    notes: [
      'To reach it at a port of this machine, map a port of the cluster to the node port, or set ports.web.hostPort to a port that the cluster maps.',
      'Its definitions stay when it is removed, and are not upgraded with it.',
    ],
    needs: [],
    hints: [],
  },
  {
    name: 'cert-manager',
    title: 'cert-manager',
    purpose: 'Issues and renews certificates of TLS for what runs in the cluster.',
    category: 'certificates',
    source: { reference: 'oci://quay.io/jetstack/charts/cert-manager' },
    chart: 'cert-manager',
    version: 'v1.21.1',
    appVersion: 'v1.21.1',
    namespace: 'cert-manager',
    release: 'cert-manager',
    oldestKubernetes: 22,
    values: [
      'crds:',
      '  enabled: true',
      '  # Certificates stay when cert-manager is removed.',
      '  keep: true',
      '',
    ].join('\n'),
    notes: ['Issues nothing before it has an Issuer or a ClusterIssuer.'],
    needs: [],
    hints: [],
  },
  {
    name: 'kube-prometheus-stack',
    title: 'Prometheus and Grafana',
    purpose: 'Collects figures of everything in the cluster, draws them, and raises alerts.',
    category: 'observability',
    source: { repository: 'https://prometheus-community.github.io/helm-charts' },
    chart: 'kube-prometheus-stack',
    version: '88.5.3',
    appVersion: 'v0.93.1',
    namespace: 'monitoring',
    release: 'monitoring',
    oldestKubernetes: 25,
    values: [
      '# These parts of kind listen on loopback inside the node, where nothing can collect from them.',
      'kubeControllerManager:',
      '  enabled: false',
      'kubeScheduler:',
      '  enabled: false',
      'kubeEtcd:',
      '  enabled: false',
      'kubeProxy:',
      '  enabled: false',
      '',
    ].join('\n'),
    notes: [
      'Heavy: wants about 1 GB of memory, and pulls about 1 GB of images.',
      'Its definitions stay when it is removed, and are not upgraded with it.',
    ],
    needs: [],
    hints: [
      "Grafana's user is admin; its password: kubectl get secret --namespace %ns -l app.kubernetes.io/component=admin-secret -o jsonpath='{.items[0].data.admin-password}' | base64 -d",
    ],
  },
  {
    name: 'istio-base',
    title: 'Istio, its definitions',
    purpose: 'What the mesh needs in the cluster before its control plane comes.',
    category: 'service-mesh',
    source: ISTIO,
    chart: 'base',
    version: ISTIO_VERSION,
    appVersion: ISTIO_VERSION,
    namespace: 'istio-system',
    release: 'istio-base',
    oldestKubernetes: null,
    values: 'defaultRevision: default\n',
    notes: ['Its definitions stay when it is removed, with every object of them.'],
    needs: [],
    hints: [],
  },
  {
    name: 'istiod',
    title: 'Istio, its control plane',
    purpose: 'The mesh: traffic between services is encrypted, counted and led by rules.',
    category: 'service-mesh',
    source: ISTIO,
    chart: 'istiod',
    version: ISTIO_VERSION,
    appVersion: ISTIO_VERSION,
    namespace: 'istio-system',
    release: 'istiod',
    oldestKubernetes: null,
    values: [
      '# As much as a machine with one cluster has to spare.',
      'resources:',
      '  requests:',
      '    cpu: 100m',
      '    memory: 256Mi',
      '',
    ].join('\n'),
    notes: [
      'A namespace joins the mesh by the label istio-injection=enabled; pods that run already by a restart.',
    ],
    needs: ['istio-base'],
    hints: [],
  },
  {
    name: 'kiali',
    title: 'Kiali',
    purpose: 'Shows the mesh: which service talks to which, how much, and what fails.',
    category: 'service-mesh',
    source: { repository: 'https://kiali.org/helm-charts' },
    chart: 'kiali-server',
    version: '2.29.0',
    appVersion: 'v2.29.0',
    namespace: 'istio-system',
    release: 'kiali',
    oldestKubernetes: null,
    values: [
      'auth:',
      '  strategy: anonymous',
      'deployment:',
      '  # Whoever reaches the page acts with the rights of Kiali.',
      '  view_only_mode: true',
      'external_services:',
      '  prometheus:',
      '    # That of the entry "Prometheus and Grafana".',
      '    url: http://monitoring-kube-prometheus-prometheus.monitoring:9090',
      '',
    ].join('\n'),
    notes: [
      'Always opens without a sign-in. Its port-forward lets only browsers through that opened it from Slipway.',
      'Without Istio and Prometheus it starts, and shows errors.',
    ],
    needs: ['istio-base', 'istiod', 'kube-prometheus-stack'],
    hints: [],
  },
  {
    name: 'argo-cd',
    title: 'Argo CD',
    purpose: 'Keeps what runs in the cluster as a Git repository says.',
    category: 'delivery',
    source: { repository: 'https://argoproj.github.io/argo-helm' },
    chart: 'argo-cd',
    version: '10.1.1',
    appVersion: 'v3.4.4',
    namespace: 'argocd',
    release: 'argocd',
    oldestKubernetes: 25,
    values: [
      '# One sign-in over the port-forward needs no other.',
      'dex:',
      '  enabled: false',
      'configs:',
      '  params:',
      '    # The page is reached over a port-forward, which encrypts by itself.',
      '    server.insecure: true',
      '',
    ].join('\n'),
    notes: ['Its definitions stay when it is removed.'],
    needs: [],
    hints: [
      "Its user is admin; the first password: kubectl get secret argocd-initial-admin-secret --namespace %ns -o jsonpath='{.data.password}' | base64 -d",
    ],
  },
  {
    name: 'metallb',
    title: 'MetalLB',
    purpose: 'Gives addresses to services of type LoadBalancer.',
    category: 'networking',
    source: { repository: 'https://metallb.github.io/metallb' },
    chart: 'metallb',
    version: '0.16.1',
    appVersion: 'v0.16.1',
    namespace: 'metallb-system',
    release: 'metallb',
    oldestKubernetes: 19,
    values: [
      '# Layer 2 is enough on the flat network of kind; FRR is for routers.',
      'frrk8s:',
      '  enabled: false',
      '',
    ].join('\n'),
    notes: [
      'Removing it removes its definitions, and with them every pool.',
      'Gives nothing before it has an IPAddressPool and an L2Advertisement: apply both once it is ready.',
      'Its pool takes free addresses of the network that the nodes are on: docker network inspect kind (or podman network inspect kind) tells its subnet. Once it is installed, its details propose one.',
    ],
    needs: [],
    hints: [
      'Gives no address yet unless %ns has an IPAddressPool and an L2Advertisement: kubectl get ipaddresspools,l2advertisements --namespace %ns. The subnet to take addresses from is told by: docker network inspect kind (or podman network inspect kind).',
      'A pool beside the addresses of this cluster’s nodes, to be pasted into Apply: {apiVersion: v1, kind: List, items: [{apiVersion: metallb.io/v1beta1, kind: IPAddressPool, metadata: {name: nodes, namespace: %ns}, spec: {addresses: [%pool]}}, {apiVersion: metallb.io/v1beta1, kind: L2Advertisement, metadata: {name: nodes, namespace: %ns}, spec: {ipAddressPools: [nodes]}}]}',
    ],
  },
];

/** @returns undefined where the catalogue has none of that name. */
export function entryOf(name: string): CatalogueEntry | undefined {
  return CATALOGUE.find((entry) => entry.name === name);
}

/** The entry that a chart is of, by the chart's own name, whoever installed it. */
export function entryOfChart(chart: string): CatalogueEntry | undefined {
  // `base` says nothing: many charts are called so.
  return CATALOGUE.find((entry) => entry.chart === chart && chart !== 'base');
}

/** Where its chart is to be found, for people. */
export function placeOf({ source }: CatalogueEntry): string {
  return 'reference' in source ? source.reference : source.repository;
}

/** Why an entry does not fit a cluster, or null. */
export function unfitFor(
  { title, oldestKubernetes }: CatalogueEntry,
  kubernetes: string | null,
): string | null {
  const minor = /^v?1\.(\d+)/.exec(kubernetes ?? '')?.[1];
  if (oldestKubernetes === null || minor === undefined || Number(minor) >= oldestKubernetes) return null;
  return `${title} needs Kubernetes 1.${oldestKubernetes} or newer, and this is ${kubernetes?.split('@')[0] ?? ''}.`;
}
