import { parseAllYaml, stringify, toValue } from '../../../core/yaml/index.js';
import type { KubernetesObject } from '../../kubernetes/index.js';
import type { ChartRequest, ReleaseName } from '../../package-manager/index.js';
import { isMap, overlay, parseValues, type Values } from '../../package-manager/values/index.js';
import { partsOf, type ChartPart, type DemoChart } from './demo-charts.js';
import type { ReleaseRecord } from './release-records.js';

/** What is to be kept of a release that is made now. @throws DomainError `values_refused` for what is no YAML. */
export function draftOf(
  { chart, release, namespace, values }: ChartRequest,
  updatedAt: string,
): Omit<ReleaseRecord, 'revision' | 'status' | 'description'> {
  const own = parseValues(chart.defaultValues);
  const given = parseValues(values);
  const all = overlay(own, given);
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
    notes: `${name} ${version} of the demo is in ${namespace} as ${release}.`,
    manifest: objects.map((object) => `---\n${stringify(object)}`).join(''),
  };
}

/** The objects of a manifest that `draftOf` made. */
export function manifestObjects(manifest: string): KubernetesObject[] {
  return parseAllYaml(manifest).map((document) => toValue(document) as KubernetesObject);
}

/** What a release consists of, as a chart's templates would make it; its definitions come first. */
function objectsOf(
  chart: Pick<DemoChart, 'name' | 'version' | 'parts' | 'definitions' | 'measures'>,
  { release, namespace }: ReleaseName,
  values: Values,
): KubernetesObject[] {
  // Helm's own habit: a release that is called as its chart needs no second name.
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
    ...chart.definitions.map((definition) => definitionOf(definition, common)),
    settings,
    ...chart.parts.flatMap((part) => partObjects(part, full, namespace, { common, annotations, values })),
    ...(chart.measures ? [metricsService(full, namespace, common)] : []),
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
  const asked = values['replicas'] ?? values['replicaCount'];
  const replicas = suffix === '' && typeof asked === 'number' ? asked : 1;
  const { image: wanted } = values;
  const given = isMap(values['service']) ? values['service'] : {};
  // Charts have the type there or there.
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
              image: suffix === '' && typeof wanted === 'string' ? wanted : image,
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

function definitionOf(definition: string, labels: Record<string, string>): KubernetesObject {
  const [, kind = '', group = '', version = ''] = /^(\w+)\.([^/]+)\/(.+)$/.exec(definition) ?? [];
  const singular = kind.toLowerCase();
  const plural = singular.endsWith('s') ? singular : `${singular}s`;
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything } }],
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
