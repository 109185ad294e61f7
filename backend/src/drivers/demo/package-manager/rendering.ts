import { parseOwnJson } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import { stringify } from '../../../core/yaml/index.js';
import type { KubernetesObject } from '../../kubernetes/index.js';
import type { ChartRequest } from '../../package-manager/index.js';
import { overlay, parseValues, type Values } from '../../package-manager/values/index.js';
import { recordedText, yamlDocuments } from '../recorded.js';
import { partsOf, type ChartPart } from './demo-charts.js';
import type { ReleaseRecord } from './release-records.js';

type Template = 'crd' | 'metrics' | 'Service' | ChartPart['kind'];

interface Workload extends KubernetesObject {
  spec: { replicas?: number; template: { metadata: { labels: object } } };
}

interface Service extends KubernetesObject {
  spec: object;
}

/** Renders a release. @throws DomainError `values_refused` if the values are not valid YAML */
export function renderRelease(
  request: ChartRequest,
  updatedAt: string,
): Omit<ReleaseRecord, 'revision' | 'status' | 'description'> {
  const { chart, release, namespace, values } = request;
  const { name, version, appVersion } = chart;
  const computed = overlay(parseValues(chart.defaultValues), parseValues(values));
  return {
    release: { release, namespace, chart: name, version, appVersion, updatedAt },
    contents: {
      values,
      computedValues: stringify(computed),
      notes: `${name} ${version} is installed in ${namespace} as ${release} (demo).`,
      manifest: objectsOf(request, computed)
        .map((object) => `---\n${stringify(object)}`)
        .join(''),
    },
  };
}

export function manifestObjects(manifest: string): KubernetesObject[] {
  return yamlDocuments(manifest);
}

/** The objects of a release, CRDs first. */
function objectsOf({ chart, release, namespace }: ChartRequest, values: Values): KubernetesObject[] {
  const { name, version } = chart;
  const { crds, parts, metrics } = partsOf(chart);
  // The convention of `helm create`: a release name that contains the chart name is the full name.
  const full = release.includes(name) || name.includes(release) ? release : `${release}-${name}`;
  const labels = {
    'app.kubernetes.io/instance': release,
    'app.kubernetes.io/managed-by': 'Helm',
    'helm.sh/chart': `${name}-${version}`,
  };
  const annotations = { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace };
  const settings: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: full, namespace },
    data: { 'config.yaml': stringify(values) },
  };
  const objects = [
    ...crds.map(crdObject),
    settings,
    ...parts.flatMap((part) => partObjects(part, full, namespace, { labels, values })),
    ...(metrics ? [filled('metrics', { NAMESPACE: namespace, NAME: full })] : []),
  ];
  return objects.map((object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...labels, ...object.metadata.labels }, annotations },
  }));
}

function partObjects(
  { suffix, kind, image, port }: ChartPart,
  full: string,
  namespace: string,
  { labels, values }: { labels: object; values: Values },
): KubernetesObject[] {
  const name = `${full}${suffix}`;
  const isMain = suffix === '';
  const own = { 'app.kubernetes.io/name': name };
  const fields = {
    NAMESPACE: namespace,
    CONTAINER: suffix.replace(/^-/, '') || full,
    IMAGE: isMain && typeof values['image'] === 'string' ? values['image'] : image,
    NAME: name,
  };
  const workload = filled(kind, fields) as Workload;
  workload.metadata.labels = own;
  workload.spec.template.metadata.labels = { ...labels, ...own };
  const replicas = values['replicas'] ?? values['replicaCount'];
  if (isMain && typeof replicas === 'number' && kind !== 'DaemonSet') workload.spec.replicas = replicas;
  if (port === undefined) return [workload];
  const service = filled('Service', fields) as Service;
  const given = isRecord(values['service']) ? values['service'] : {};
  // Some charts nest the type below `spec`.
  const { type = 'ClusterIP' } = isRecord(given['spec']) ? given['spec'] : given;
  service.spec = { type: isMain ? type : 'ClusterIP', ...service.spec, ports: [{ name: 'main', port }] };
  return [service, workload];
}

/** @param crd such as `Certificate.cert-manager.io/v1` */
function crdObject(crd: string): KubernetesObject {
  const [, KIND = '', GROUP = '', VERSION = ''] = /^(\w+)\.([^/]+)\/(.+)$/.exec(crd) ?? [];
  const SINGULAR = KIND.toLowerCase();
  const PLURAL = SINGULAR.endsWith('s') ? SINGULAR : `${SINGULAR}s`;
  return filled('crd', { GROUP, VERSION, SINGULAR, PLURAL, KIND });
}

function filled(template: Template, fields: Readonly<Record<string, string>>): KubernetesObject {
  const text = JSON.stringify(parseOwnJson<Record<Template, object>>(recordedText('chart.json'))[template]);
  return parseOwnJson<KubernetesObject>(
    text.replaceAll(
      /\b(NAMESPACE|CONTAINER|IMAGE|NAME|GROUP|VERSION|SINGULAR|PLURAL|KIND)(?=\b|List)/g,
      (field) => fields[field] ?? field,
    ),
  );
}
