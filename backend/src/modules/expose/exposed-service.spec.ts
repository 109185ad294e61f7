import { describe, expect, it } from '@jest/globals';
import { controlledBy, kubernetesObject } from '../../../../test/support/kubernetes/scripted-resources.js';
import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import { choosePort } from './exposed-ports.js';
import { chooseService, selectorOf, serviceManifest, serviceNameOf } from './exposed-service.js';

type Port = { name?: string; containerPort: number; protocol?: string };

const HTTP = { name: 'http', containerPort: 8080 };
const DNS = { name: 'dns', containerPort: 53, protocol: 'UDP' };
const DNS_TCP = { containerPort: 53 };
const METRICS = { name: 'metrics', containerPort: 9100 };

function workload(
  ports: Port[],
  selector: object = { matchLabels: { app: 'web' } },
  labels: Record<string, string> | undefined = { app: 'web' },
): KubernetesObject {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', ports }] } };
  return kubernetesObject('Deployment', 'web', { spec: { selector, template } });
}

const port = (ports: Port[], wanted?: string): ReturnType<typeof choosePort> =>
  choosePort('deployments', workload(ports), { port: wanted, what: 'deployment shop/web' });

describe('choosePort', () => {
  it.each([
    ['the only declared port', [METRICS], undefined, [9100, 'metrics', 'TCP', 'tcp']],
    ['the one of several that speaks HTTP', [METRICS, HTTP], undefined, [8080, 'http', 'TCP', 'http']],
    ['a port by its name', [METRICS, HTTP], 'metrics', [9100, 'metrics', 'TCP', 'tcp']],
    ['a port by its number', [METRICS, HTTP], '9100', [9100, 'metrics', 'TCP', 'tcp']],
    ['TCP if a number has several transports', [DNS, DNS_TCP], '53', [53, null, 'TCP', 'tcp']],
    ['UDP by its name', [DNS, DNS_TCP], 'dns', [53, 'dns', 'UDP', 'tcp']],
    ['a port that is not declared', [], '3000', [3000, null, 'TCP', 'http']],
  ])('chooses %s', (_what, ports, wanted, [number, name, transport, protocol]) => {
    expect(port(ports, wanted)).toEqual({ number, name, transport, protocol });
  });

  it.each([
    ['without declared ports', [], undefined, 'port is required: deployment shop/web declares none'],
    ['with several', [METRICS, DNS], undefined, 'declares several, 9100 (metrics), 53 (dns)'],
    ['of an unknown name', [HTTP], 'grpc', 'must be a port of deployment shop/web. Available: 8080 (http)'],
  ])('rejects a port %s', (_what, ports, wanted, message) => {
    expect(() => port(ports, wanted)).toThrow(message);
  });
});

describe('selectorOf', () => {
  const what = 'deployment shop/web';

  it('takes the match labels, without those of one revision', () => {
    const selector = { matchLabels: { app: 'web', 'pod-template-hash': '6d4cf56db6' } };
    expect(selectorOf('replicasets', workload([], selector), what)).toEqual({
      selector: { app: 'web' },
      warnings: [],
    });
  });

  it('takes the labels of the template if there are matchExpressions', () => {
    const selector = { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] };
    const { selector: found, warnings } = selectorOf('deployments', workload([], selector), what);
    expect(found).toEqual({ app: 'web' });
    expect(warnings).toEqual([expect.stringContaining('has matchExpressions')]);
  });

  it('takes the labels of a Pod, and says that others may have them', () => {
    const labels = { app: 'web', 'controller-revision-hash': '1' };
    const pod = kubernetesObject('Pod', 'web-0', {
      metadata: { labels, ...controlledBy('StatefulSet', 'web') },
    });
    expect(selectorOf('pods', pod, 'pod shop/web-0')).toEqual({
      selector: { app: 'web' },
      warnings: ['The Service selects every Pod with the labels of this Pod.'],
    });
  });

  it('rejects Pods without labels', () => {
    expect(() => selectorOf('pods', kubernetesObject('Pod', 'bare'), 'pod shop/bare')).toThrow(
      'Could not expose pod shop/bare. Its Pods have no labels',
    );
  });
});

describe('serviceNameOf', () => {
  it.each([
    ['web', 'web'],
    ['web.v2', 'web-v2'],
    ['2048', 'svc-2048'],
    [`${'a'.repeat(62)}.b`, 'a'.repeat(62)],
  ])('makes of %s %s', (object, name) => {
    expect(serviceNameOf(object)).toBe(name);
  });
});

describe('chooseService', () => {
  const target = { selector: { app: 'web' }, port: port([HTTP]), servicePort: undefined };
  const service = (name: string, spec: object): KubernetesObject =>
    kubernetesObject('Service', name, { spec });
  const ports = [{ name: 'web', port: 80, targetPort: 'http' }];
  const same = service('front', { selector: { app: 'web' }, ports });
  const other = service('web', { selector: { app: 'db' }, ports });
  const choose = (services: KubernetesObject[], wanted?: string, changes: object = {}): object =>
    chooseService(services, { ...target, ...changes }, { wanted, object: 'web' });

  it('creates one with the name of the object', () => {
    expect(choose([])).toEqual({ name: 'web', port: { number: 8080, name: 'http' }, stored: null });
    const manifest = serviceManifest(
      { namespace: 'shop', name: 'web' },
      { ...target, servicePort: 80 },
      'http',
    );
    expect(manifest).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        selector: { app: 'web' },
        ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'http' }],
      },
    });
  });

  it('uses one that already leads there', () => {
    const found = { name: 'front', port: { number: 80, name: 'web' }, stored: same };
    expect(choose([other, same])).toEqual(found);
    expect(choose([same], 'front')).toEqual(found);
  });

  it('creates one if another name or port is wanted', () => {
    expect(choose([same], 'second')).toMatchObject({ name: 'second', stored: null });
    expect(choose([same], undefined, { servicePort: 81 })).toMatchObject({ name: 'web', stored: null });
  });

  it.each([
    ['selects other Pods', [other]],
    ['has no port for 8080', [service('web', { selector: { app: 'web' }, ports: [{ port: 81 }] })]],
    ['selects other Pods', [service('web', { type: 'ExternalName' })]],
  ])('rejects the name of a Service that %s', (problem, services) => {
    expect(() => choose(services)).toThrow(`name must be another: Service web already exists and ${problem}`);
  });
});
