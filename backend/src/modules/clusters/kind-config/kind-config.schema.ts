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
    role: { enum: ['control-plane', 'worker'] },
    image: { type: 'string', minLength: 1, maxLength: 500, pattern: IMAGE },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    extraMounts: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['hostPath', 'containerPath'],
        properties: {
          containerPath: { type: 'string', minLength: 1 },
          hostPath: { type: 'string', minLength: 1 },
          readOnly: { type: 'boolean' },
          selinuxRelabel: { type: 'boolean' },
          propagation: { enum: ['None', 'HostToContainer', 'Bidirectional', ''] },
        },
      },
    },
    extraPortMappings: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['containerPort'],
        properties: {
          containerPort: { type: 'integer', minimum: 1, maximum: 65535 },
          hostPort: { type: 'integer', minimum: -1, maximum: 65535 },
          listenAddress: { type: 'string' },
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
    kind: { const: 'Cluster' },
    apiVersion: { const: 'kind.x-k8s.io/v1alpha4' },
    name: { type: 'string' },
    nodes: { type: 'array', items: node },
    networking: {
      type: 'object',
      additionalProperties: false,
      properties: {
        ipFamily: { enum: ['ipv4', 'ipv6', 'dual'] },
        apiServerPort: { type: 'integer', minimum: -1, maximum: 65535 },
        apiServerAddress: { type: 'string' },
        podSubnet: { type: 'string' },
        serviceSubnet: { type: 'string' },
        disableDefaultCNI: { type: 'boolean' },
        kubeProxyMode: { enum: ['iptables', 'ipvs', 'nftables', 'none'] },
        dnsSearch: strings,
      },
    },
    featureGates: { type: 'object', additionalProperties: { type: 'boolean' } },
    runtimeConfig: { type: 'object', additionalProperties: { type: 'string' } },
    kubeadmConfigPatches: strings,
    kubeadmConfigPatchesJSON6902: jsonPatches,
    containerdConfigPatches: strings,
    containerdConfigPatchesJSON6902: strings,
  },
};
