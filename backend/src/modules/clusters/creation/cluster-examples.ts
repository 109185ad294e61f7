import type { ApiBodyOptions } from '@nestjs/swagger';

type Examples = Extract<ApiBodyOptions, { examples?: unknown }>['examples'];

/** Bodies of POST /clusters as the documentation shows them; each works as it stands. */
export const createClusterExamples: NonNullable<Examples> = {
  fields: {
    summary: 'By its parameters',
    value: { name: 'staging', workers: 2, node_image_tag: 'v1.34.4' },
  },
  ports: {
    summary: 'With a port of this machine',
    value: {
      name: 'web',
      workers: 0,
      node_image_tag: 'v1.34.4',
      port_mappings: [{ container_port: 30080, host_port: 8081 }],
    },
  },
  config: {
    summary: 'By a kind config',
    value: {
      name: 'custom',
      node_image_tag: 'v1.34.4',
      config:
        'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: control-plane\n  - role: worker\n',
    },
  },
};
