export const CONFIG_EXAMPLE = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
name: staging
nodes:
  - role: control-plane
  - role: worker
`;

export const configBodyExamples = {
  config: { summary: 'One control plane, one worker', value: { config: CONFIG_EXAMPLE } },
};
