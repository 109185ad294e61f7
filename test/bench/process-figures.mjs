import { readdirSync, readFileSync } from 'node:fs';

/** Of a second; the same on every Linux that Node runs on. */
const TICKS = 100;

/** Megabytes of memory that a process and those that it started hold. */
export function residentMegabytes(pid) {
  return statusMegabytes(pid, 'VmRSS');
}

/** The most megabytes that each of them ever held. */
export function mostResidentMegabytes(pid) {
  return statusMegabytes(pid, 'VmHWM');
}

/** Seconds of a core that a process and those that it started have used. */
export function processorSeconds(pid) {
  let ticks = 0;
  for (const one of treeOf(pid)) {
    const [user, system] = statOf(one)?.slice(11, 13) ?? [0, 0];
    ticks += Number(user) + Number(system);
  }
  return ticks / TICKS;
}

function statusMegabytes(pid, field) {
  let kilobytes = 0;
  for (const one of treeOf(pid)) {
    const status = read(one, 'status') ?? '';
    kilobytes += Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  }
  return (kilobytes * 1024) / 1e6;
}

function treeOf(pid) {
  const tree = new Set([String(pid)]);
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((one) => [one, statOf(one)?.[1]]);
  for (let size = 0; size < tree.size;) {
    size = tree.size;
    for (const [one, parent] of parents) if (tree.has(parent)) tree.add(one);
  }
  return tree;
}

/** The fields after the name, which may contain any character: state, parent, … */
function statOf(pid) {
  return read(pid, 'stat')
    ?.replace(/^.*\) /s, '')
    .split(' ');
}

/** Undefined for a process that has ended meanwhile. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
