import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { choosePort, portInPod } from './port-choice.js';

const OBJECT = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'web', namespace: 'shop' } };

function service(port: object, spec: object = {}): KubernetesObject {
  return { ...OBJECT, spec: { ports: [port], ...spec } };
}

function pod(spec: object): KubernetesObject {
  return { ...OBJECT, spec };
}

describe('choosePort', () => {
  it.each([
    [{ port: 80 }, '80', 80, 'http'],
    [{ port: 80, targetPort: 'web' }, '80', 'web', 'http'],
    [{ port: 1234, name: 'https-admin' }, 'https-admin', 1234, 'https'],
    [{ port: 8443 }, '8443', 8443, 'https'],
    [{ port: 8080, name: 'grpc' }, '8080', 8080, 'http'],
    // The name given by the author of the Service wins over the number.
    [{ port: 8080, appProtocol: 'postgres' }, '8080', 8080, 'tcp'],
    [{ port: 5432, appProtocol: 'kubernetes.io/ws' }, '5432', 5432, 'http'],
    [{ port: 5432 }, '5432', 5432, 'tcp'],
  ])('of a Service with %j chooses for %s port %s with %s', (declared, port, podPort, protocol) => {
    const to = { plural: 'services', namespace: 'shop', object: 'web', port } as const;
    expect(choosePort(to, service(declared))).toEqual({ podPort, protocol });
  });

  it('rejects a Service without Pods', () => {
    const to = { plural: 'services', namespace: 'shop', object: 'web', port: '80' } as const;
    expect(() => choosePort(to, service({ port: 80 }, { type: 'ExternalName' }))).toThrow('has no Pods');
  });

  it('finds the ports of sidecars, and accepts numbers that no container declares', () => {
    const spec = {
      containers: [{ name: 'main' }],
      initContainers: [
        { name: 'proxy', restartPolicy: 'Always', ports: [{ name: 'admin', containerPort: 9901 }] },
        { name: 'setup', ports: [{ name: 'gone', containerPort: 1 }] },
      ],
    };
    const choose = (port: string): object =>
      choosePort({ plural: 'pods', namespace: 'shop', object: 'web', port }, pod(spec));
    expect(choose('admin')).toEqual({ podPort: 'admin', protocol: 'tcp' });
    expect(choose('3000')).toEqual({ podPort: 3000, protocol: 'http' });
    expect(() => choose('gone')).toThrow('Available: 9901');
    expect(portInPod('admin', pod(spec))).toBe(9901);
    expect(() => portInPod('gone', pod(spec))).toThrow('Pod web has no TCP port named gone.');
  });
});
