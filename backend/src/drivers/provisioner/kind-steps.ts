import type { ClusterShape, ProvisionStep } from './cluster-provisioner.js';

type Weight = number | ((shape: ClusterShape) => number);
type AppliesTo = (shape: ClusterShape) => boolean;

const always: AppliesTo = () => true;
const withSeveralControlPlanes: AppliesTo = ({ controlPlanes }) => controlPlanes > 1;

/**
 * In kind's order. A title is the start of the line that kind prints, read from its sources, v0.20 to v0.33. The weights
 * were measured with one control plane and one worker; with more nodes they tell the size of a step.
 */
const STEPS: readonly [name: string, title: string, weight: Weight, AppliesTo][] = [
  ['ensuring-node-image', 'Ensuring node image', 0.3, always],
  [
    'preparing-nodes',
    'Preparing nodes',
    ({ controlPlanes, workers }) => 1.5 + (controlPlanes + workers) / 2,
    always,
  ],
  ['configuring-load-balancer', 'Configuring the external load balancer', 1, withSeveralControlPlanes],
  ['writing-configuration', 'Writing configuration', 0.7, always],
  ['starting-control-plane', 'Starting control-plane', 8, always],
  ['installing-cni', 'Installing CNI', 0.6, ({ withoutDefaultNetwork }) => !withoutDefaultNetwork],
  ['installing-storage-class', 'Installing StorageClass', 0.4, always],
  [
    'joining-control-planes',
    'Joining more control-plane nodes',
    ({ controlPlanes }) => 7.5 * (controlPlanes - 1),
    withSeveralControlPlanes,
  ],
  ['joining-workers', 'Joining worker nodes', ({ workers }) => 6 + workers, ({ workers }) => workers > 0],
];

export function kindSteps(shape: ClusterShape): ProvisionStep[] {
  return STEPS.filter(([, , , appliesTo]) => appliesTo(shape)).map(([name, title, weight]) => ({
    name,
    title,
    weight: typeof weight === 'number' ? weight : weight(shape),
  }));
}

/**
 * The step that a line of output starts. Without a terminal, kind prints each step twice: with a bullet at its start,
 * and with a check mark or a cross at its end.
 */
export function stepOfLine(line: string): string | undefined {
  return stepAfter(/^\s*•\s+(.*)$/s.exec(line));
}

/** Whether a line says that a step has started or succeeded, which the step itself says. */
export function isStepLine(line: string): boolean {
  return stepAfter(/^\s*[•✓]\s+(.*)$/s.exec(line)) !== undefined;
}

function stepAfter(mark: RegExpExecArray | null): string | undefined {
  const text = mark?.[1];
  return text === undefined ? undefined : STEPS.find(([, title]) => text.startsWith(title))?.[0];
}
