import type { JobDto } from '../../shared/api/api-types';
import type { NodeFill } from '../../shared/ui/cluster-drawing';

/** The steps of a creation that bring the nodes of each role on. */
const STEPS = {
  controlPlane: ['preparing-nodes', 'starting-control-plane', 'joining-control-planes', 'ready'],
  worker: ['preparing-nodes', 'joining-workers', 'ready'],
} as const;

/** How far a creation is with the nodes. A running step counts by half. Null once it has failed. */
export function nodeFill({ state, progress_steps: steps }: JobDto): NodeFill | null {
  if (state === 'succeeded') return { controlPlane: 1, worker: 1 };
  if (state !== 'queued' && state !== 'running') return null;
  const share = (names: readonly string[]): number => {
    const own = steps.filter(({ name }) => names.includes(name));
    const done = own.map((step) => (step.state === 'running' ? 0.5 : step.state === 'pending' ? 0 : 1));
    return done.reduce<number>((sum, part) => sum + part, 0) / Math.max(1, own.length);
  };
  return { controlPlane: share(STEPS.controlPlane), worker: share(STEPS.worker) };
}
