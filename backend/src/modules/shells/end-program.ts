import { guardedTimeout } from '../../core/errors/index.js';
import type { PodName, ResourceApi } from '../../drivers/kubernetes/index.js';

/** Time to end the processes of a program. */
export const END_MS = 2000;

/** Runs a command that ends processes of a container. @throws Error if it cannot start, such as after the container's end */
export async function endProgram(
  api: ResourceApi,
  pod: PodName,
  container: string,
  command: readonly string[],
): Promise<void> {
  const program = await api.exec(pod, { container, command, tty: false });
  const deadline = guardedTimeout(() => program.stream.destroy(), END_MS, 'end a program');
  program.stream.resume();
  await program.ended;
  clearTimeout(deadline);
}
