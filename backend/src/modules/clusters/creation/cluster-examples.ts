/** Example bodies of POST /clusters. Each of them works. */
export const createClusterExamples = {
  fields: {
    summary: 'Parameters',
    value: { name: 'staging', workers: 2, node_image_tag: 'v1.34.4' },
  },
  ports: {
    summary: 'With a host port',
    value: {
      name: 'web',
      workers: 0,
      node_image_tag: 'v1.34.4',
      port_mappings: [{ container_port: 30080, host_port: 8081 }],
    },
  },
  config: {
    summary: 'kind config',
    value: {
      name: 'custom',
      node_image_tag: 'v1.34.4',
      config:
        'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: control-plane\n  - role: worker\n',
    },
  },
};
