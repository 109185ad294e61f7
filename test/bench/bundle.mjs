import { ensureBuilt, firstPageScripts, INITIAL_SCRIPT_BUDGET } from '../../scripts/build.mjs';
import { Figure } from './figures.mjs';

/** JavaScript that a first page loads before it works, as it goes over the wire. */
export async function bundle() {
  await ensureBuilt(['frontend']);
  const total = firstPageScripts().reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    new Figure({
      title: 'initial JavaScript (Brotli)',
      unit: 'kB',
      goal: INITIAL_SCRIPT_BUDGET / 1000,
      values: [total / 1000],
    }),
  ];
}
