import { describe, expect, it } from '@jest/globals';
import {
  kubernetesObject,
  ScriptedResources,
} from '../../../../test/support/kubernetes/scripted-resources.js';
import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import type { NodeContainer, PublishedPort } from '../../drivers/runtime/index.js';
import { chooseIngress, classOf, classProblem, ingressManifest } from './exposed-ingress.js';
import { findEntry } from './published-entry.js';

const TARGET = {
  namespace: 'shop',
  service: 'web',
  port: { number: 80, name: 'http' },
  className: 'traefik',
};

function ingress(
  name: string,
  host: string,
  service: string,
  port: object,
  namespace = 'shop',
): KubernetesObject {
  const paths = [{ path: '/', backend: { service: { name: service, port } } }];
  return kubernetesObject('Ingress', name, {
    namespace,
    spec: { ingressClassName: 'traefik', rules: [{ host, http: { paths } }] },
  });
}

function ingressClass(name: string, metadata: object = {}): KubernetesObject {
  return kubernetesObject('IngressClass', name, { metadata });
}

describe('classOf', () => {
  const traefik = ingressClass('traefik');
  const isDefault = { annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } };

  it('takes the default class, otherwise the only one', () => {
    const nginx = ingressClass('nginx', isDefault);
    expect([classOf([traefik, nginx]), classOf([traefik]), classOf([])]).toEqual([nginx, traefik, undefined]);
  });

  it('takes none of several, and says why', () => {
    const several = [traefik, ingressClass('nginx')];
    expect(classOf(several)).toBeUndefined();
    expect(classProblem(several)).toContain('no default: traefik, nginx');
  });
});

describe('chooseIngress', () => {
  it('creates one with a host that leads to this machine', () => {
    const chosen = { name: 'web', host: 'web.localhost', stored: null };
    expect(chooseIngress([], TARGET, undefined)).toEqual(chosen);
    expect(ingressManifest(TARGET, chosen)).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        ingressClassName: 'traefik',
        rules: [
          {
            host: 'web.localhost',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  it.each([[{ number: 80 }], [{ name: 'http' }]])('uses one that leads to port %j of the Service', (port) => {
    const stored = ingress('front', 'shop.localhost', 'web', port);
    const found = { name: 'front', host: 'shop.localhost', stored };
    expect(chooseIngress([stored], TARGET, undefined)).toEqual(found);
  });

  it('adds the namespace to a host that another namespace has', () => {
    const other = ingress('web', 'web.localhost', 'web', { number: 80 }, 'test');
    expect(chooseIngress([other], TARGET, undefined)).toMatchObject({ host: 'web.shop.localhost' });
    expect(() => chooseIngress([other], TARGET, 'web.localhost')).toThrow(
      'host must be another: Ingress test/web already has web.localhost',
    );
  });

  it('creates none if another one has the name', () => {
    expect(
      chooseIngress([ingress('web', 'a.localhost', 'api', { number: 80 })], TARGET, undefined),
    ).toBeNull();
  });
});

describe('findEntry', () => {
  const published: PublishedPort = {
    hostAddress: '127.0.0.1',
    hostPort: 8080,
    containerPort: 80,
    protocol: 'tcp',
  };
  const labels = { 'app.kubernetes.io/name': 'traefik' };
  const traefik = ingressClass('traefik', { labels });

  async function entry(
    {
      ports = [published],
      role = 'control-plane',
    }: { ports?: PublishedPort[]; role?: NodeContainer['role'] },
    ...objects: KubernetesObject[]
  ): Promise<unknown> {
    const api = new ScriptedResources();
    for (const object of objects) api.put(object.kind === 'Pod' ? 'pods' : 'services', object);
    return await findEntry(api, traefik, [{ name: 'one', role, ports } as NodeContainer]);
  }

  function controller(port: object, changes: object = {}): KubernetesObject {
    return kubernetesObject('Pod', 'traefik', {
      metadata: { labels, ...changes },
      spec: { nodeName: 'one', containers: [{ name: 'web', ports: [port] }] },
      status: { phase: 'Running' },
    });
  }

  const web = { name: 'web', containerPort: 8000, hostPort: 80 };

  it('finds the host port of the controller', async () => {
    expect(await entry({}, controller(web))).toEqual({ hostPort: 8080, isLoopback: true });
    const everywhere = { ...published, hostAddress: '0.0.0.0' };
    expect(await entry({ ports: [everywhere] }, controller(web))).toEqual({
      hostPort: 8080,
      isLoopback: false,
    });
  });

  it('finds the node port of the controller', async () => {
    const service = kubernetesObject('Service', 'traefik', {
      metadata: { labels },
      spec: { ports: [{ name: 'web', port: 80, nodePort: 30_080 }] },
    });
    const ports = [{ ...published, containerPort: 30_080 }];
    expect(await entry({ ports }, service)).toEqual({ hostPort: 8080, isLoopback: true });
  });

  it.each([
    ['a port of another program', {}, controller(web, { labels: { 'app.kubernetes.io/name': 'other' } })],
    [
      'the port of another node',
      {},
      { ...controller(web), spec: { nodeName: 'two', containers: [{ name: 'web', ports: [web] }] } },
    ],
    ['a Pod that does not run', {}, { ...controller(web), status: { phase: 'Pending' } }],
    ['an HTTPS port', {}, controller({ name: 'websecure', hostPort: 443 })],
    ['a port that is not published', { ports: [] }, controller(web)],
    ['an address of the network', { ports: [{ ...published, hostAddress: '192.168.1.2' }] }, controller(web)],
    ['a port of the load balancer', { role: 'external-load-balancer' as const }, controller(web)],
  ])('ignores %s', async (_what, node, object) => {
    expect(await entry(node, object)).toBeNull();
  });
});
