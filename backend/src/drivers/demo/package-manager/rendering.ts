import { stringify } from '../../../core/yaml/index.js';
import type { KubernetesObject } from '../../kubernetes/index.js';
import type { ChartRequest, ReleaseName } from '../../package-manager/index.js';
import { isMap, overlay, parseValues, type Values } from '../../package-manager/values/index.js';
import { partsOf, type ChartPart, type DemoChart } from './demo-charts.js';
import { yamlDocuments } from '../recorded.js';
import type { ReleaseRecord } from './release-records.js';

/** Renders a release. @throws DomainError `values_refused` if the values are not valid YAML */
export function renderRelease(
  { chart, release, namespace, values }: ChartRequest,
  updatedAt: string,
): Omit<ReleaseRecord, 'revision' | 'status' | 'description'> {
  const all = overlay(parseValues(chart.defaultValues), parseValues(values));
  const { name, version, appVersion } = chart;
  const objects = objectsOf({ name, version, ...partsOf(chart) }, { release, namespace }, all);
  return {
    release,
    namespace,
    chart: name,
    version,
    appVersion,
    updatedAt,
    values,
    computedValues: stringify(all),
    notes: `${name} ${version} is installed in ${namespace} as ${release} (demo).`,
    manifest: objects.map((object) => `---\n${stringify(object)}`).join(''),
  };
}

export function manifestObjects(manifest: string): KubernetesObject[] {
  return yamlDocuments(manifest);
}

/** The objects of a release, CRDs first. */
function objectsOf(
  chart: Pick<DemoChart, 'name' | 'version' | 'parts' | 'crds' | 'metrics'>,
  { release, namespace }: ReleaseName,
  values: Values,
): KubernetesObject[] {
  // The convention of `helm create`: a release name that contains the chart name is the full name.
  const full =
    release.includes(chart.name) || chart.name.includes(release) ? release : `${release}-${chart.name}`;
  const common = {
    'app.kubernetes.io/instance': release,
    'app.kubernetes.io/managed-by': 'Helm',
    'helm.sh/chart': `${chart.name}-${chart.version}`,
  };
  const annotations = { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace };
  const settings: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: full, namespace, labels: common, annotations },
    data: { 'config.yaml': stringify(values) },
  };
  return [
    ...chart.crds.map((crd) => crdOf(crd, common)),
    settings,
    ...chart.parts.flatMap((part) => partObjects(part, full, namespace, { common, annotations, values })),
    ...(chart.metrics ? [metricsService(full, namespace, common)] : []),
  ];
}

interface Context {
  common: Record<string, string>;
  annotations: Record<string, string>;
  values: Values;
}

function partObjects(
  { suffix, kind, image, port }: ChartPart,
  full: string,
  namespace: string,
  { common, annotations, values }: Context,
): KubernetesObject[] {
  const name = `${full}${suffix}`;
  const own = { 'app.kubernetes.io/name': name };
  const labels = { ...common, ...own };
  const metadata = { name, namespace, labels, annotations };
  const requested = values['replicas'] ?? values['replicaCount'];
  const replicas = suffix === '' && typeof requested === 'number' ? requested : 1;
  const { image: override } = values;
  const given = isMap(values['service']) ? values['service'] : {};
  // Some charts nest the type below `spec`.
  const { type = 'ClusterIP' } = isMap(given['spec']) ? given['spec'] : given;
  const workload: KubernetesObject = {
    apiVersion: 'apps/v1',
    kind,
    metadata,
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas }),
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: own },
      template: {
        metadata: { labels },
        spec: {
          ...(kind === 'DaemonSet' ? { tolerations: [{ operator: 'Exists' }] } : {}),
          containers: [
            {
              name: suffix.replace(/^-/, '') || full,
              image: suffix === '' && typeof override === 'string' ? override : image,
              ...(port === undefined ? {} : { ports: [{ name: 'main', containerPort: port }] }),
              resources: { requests: { cpu: '50m', memory: '96Mi' } },
            },
          ],
        },
      },
    },
  };
  if (port === undefined) return [workload];
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { type: suffix === '' ? type : 'ClusterIP', selector: own, ports: [{ name: 'main', port }] },
  };
  return [service, workload];
}

function crdOf(crd: string, labels: Record<string, string>): KubernetesObject {
  const [, kind = '', group = '', version = ''] = /^(\w+)\.([^/]+)\/(.+)$/.exec(crd) ?? [];
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('s') ? singular : `${singular}s`;
  const anyObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anyObject } }],
    },
  };
}

function metricsService(
  service: string,
  namespace: string,
  labels: Record<string, string>,
): KubernetesObject {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: 'v1beta1.metrics.k8s.io', labels },
    spec: {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
      service: { namespace, name: service, port: 443 },
    },
  };
}
