import type { ClusterShape, ProvisionStep } from './cluster-provisioner.js';

interface KnownStep extends ProvisionStep {
  /** How kind's own line begins, after its mark. Read from kind's sources, v0.20 to v0.33. */
  line: string;
  appliesTo: (shape: ClusterShape) => boolean;
}

const always = (): boolean => true;

/** kind's steps in its order. The weights are seconds measured with one control plane and one worker. */
const STEPS: readonly KnownStep[] = [
  {
    name: 'ensuring-node-image',
    title: 'Ensuring node image',
    line: 'Ensuring node image',
    weight: 0.3,
    appliesTo: always,
  },
  {
    name: 'preparing-nodes',
    title: 'Preparing nodes',
    line: 'Preparing nodes',
    weight: 2.5,
    appliesTo: always,
  },
  {
    name: 'configuring-load-balancer',
    title: 'Configuring the external load balancer',
    line: 'Configuring the external load balancer',
    weight: 1,
    appliesTo: ({ controlPlanes }) => controlPlanes > 1,
  },
  {
    name: 'writing-configuration',
    title: 'Writing configuration',
    line: 'Writing configuration',
    weight: 0.7,
    appliesTo: always,
  },
  {
    name: 'starting-control-plane',
    title: 'Starting control-plane',
    line: 'Starting control-plane',
    weight: 8,
    appliesTo: always,
  },
  {
    name: 'installing-cni',
    title: 'Installing CNI',
    line: 'Installing CNI',
    weight: 0.6,
    appliesTo: ({ withoutDefaultNetwork }) => !withoutDefaultNetwork,
  },
  {
    name: 'installing-storage-class',
    title: 'Installing StorageClass',
    line: 'Installing StorageClass',
    weight: 0.4,
    appliesTo: always,
  },
  {
    name: 'joining-control-planes',
    title: 'Joining more control-plane nodes',
    line: 'Joining more control-plane nodes',
    weight: 15,
    appliesTo: ({ controlPlanes }) => controlPlanes > 1,
  },
  {
    name: 'joining-workers',
    title: 'Joining worker nodes',
    line: 'Joining worker nodes',
    weight: 7,
    appliesTo: ({ workers }) => workers > 0,
  },
];

/** The steps that kind will take for a shape: known beforehand, which is what makes a percentage true. */
export function kindSteps(shape: ClusterShape): ProvisionStep[] {
  return STEPS.filter((step) => step.appliesTo(shape)).map(({ name, title, weight }) => ({
    name,
    title,
    weight,
  }));
}

/**
 * The step that a line of kind announces. Without a terminal kind prints each step twice: behind a bullet
 * when it begins, behind a tick or a cross when it ends; only the beginning counts here.
 */
export function stepOfLine(line: string): string | undefined {
  const match = /^\s*•\s+(.*)$/.exec(line);
  if (!match?.[1]) return undefined;
  const text = match[1];
  return STEPS.find((step) => text.startsWith(step.line))?.name;
}
