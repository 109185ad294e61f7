/**
 * kind's v1alpha4 cluster config as a JSON Schema: the fields that its strict decoder knows, and the
 * rules of its validation that a schema can express (kind `pkg/apis/config/v1alpha4` and
 * `pkg/internal/apis/config/validate.go`).
 */
const strings = { type: 'array', items: { type: 'string' } };
const jsonPatches = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    properties: {
      group: { type: 'string' },
      version: { type: 'string' },
      kind: { type: 'string' },
      patch: { type: 'string' },
    },
  },
};

/**
 * A reference to an image by the grammar of the distribution project: no part of it can be a flag, or a
 * step up in the path of an engine's API.
 */
const IMAGE =
  '^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?/)?[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(@sha256:[0-9a-f]{64})?$';

const node = {
  type: 'object',
  additionalProperties: false,
  properties: {
    role: {
      description: 'What the node does. The default is control-plane.',
      enum: ['control-plane', 'worker'],
    },
    image: {
      description: 'Node image, and with it the version of Kubernetes.',
      type: 'string',
      minLength: 1,
      maxLength: 500,
      pattern: IMAGE,
    },
    labels: {
      description: 'Labels of the Kubernetes node.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
    extraMounts: {
      description: 'Folders of this machine that the node sees.',
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['hostPath', 'containerPath'],
        properties: {
          containerPath: { description: 'Path inside the node.', type: 'string', minLength: 1 },
          hostPath: { description: 'Path on this machine.', type: 'string', minLength: 1 },
          readOnly: { type: 'boolean' },
          selinuxRelabel: { type: 'boolean' },
          propagation: { enum: ['None', 'HostToContainer', 'Bidirectional', ''] },
        },
      },
    },
    extraPortMappings: {
      description: 'Ports of this machine that lead to the node.',
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['containerPort'],
        properties: {
          containerPort: {
            description: 'Port inside the node.',
            type: 'integer',
            minimum: 1,
            maximum: 65535,
          },
          hostPort: {
            description: 'Port of this machine; 0 lets kind choose one, -1 the engine at each start.',
            type: 'integer',
            minimum: -1,
            maximum: 65535,
          },
          listenAddress: {
            description: 'Address of this machine; without it every one is open.',
            type: 'string',
          },
          protocol: { enum: ['TCP', 'UDP', 'SCTP'] },
        },
      },
    },
    kubeadmConfigPatches: strings,
    kubeadmConfigPatchesJSON6902: jsonPatches,
  },
};

export const kindConfigSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind', 'apiVersion'],
  properties: {
    kind: { description: 'Always Cluster.', const: 'Cluster' },
    apiVersion: { description: 'Version of this format.', const: 'kind.x-k8s.io/v1alpha4' },
    name: { description: 'Name of the cluster.', type: 'string' },
    nodes: {
      description: 'The nodes; one control plane where none are named.',
      type: 'array',
      items: node,
    },
    networking: {
      description: 'Settings of the network of the whole cluster.',
      type: 'object',
      additionalProperties: false,
      properties: {
        ipFamily: { description: 'The default is ipv4.', enum: ['ipv4', 'ipv6', 'dual'] },
        apiServerPort: {
          description: 'Port of the API server on this machine; without it kind chooses one.',
          type: 'integer',
          minimum: -1,
          maximum: 65535,
        },
        apiServerAddress: {
          description: 'Address of the API server; the default is 127.0.0.1.',
          type: 'string',
        },
        podSubnet: { description: 'Subnet of the pods, such as 10.244.0.0/16.', type: 'string' },
        serviceSubnet: { description: 'Subnet of the services, such as 10.96.0.0/16.', type: 'string' },
        disableDefaultCNI: {
          description: 'Leaves the network of the pods to be installed by you.',
          type: 'boolean',
        },
        kubeProxyMode: {
          description: 'The default is iptables.',
          enum: ['iptables', 'ipvs', 'nftables', 'none'],
        },
        dnsSearch: strings,
      },
    },
    featureGates: {
      description: 'Feature gates of Kubernetes, each on or off.',
      type: 'object',
      additionalProperties: { type: 'boolean' },
    },
    runtimeConfig: {
      description: 'Settings of --runtime-config of the API server, as text.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
    kubeadmConfigPatches: strings,
    kubeadmConfigPatchesJSON6902: jsonPatches,
    containerdConfigPatches: strings,
    containerdConfigPatchesJSON6902: strings,
  },
};
