import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { RuntimeStatus } from '../../drivers/runtime/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** What rootless nodes must be allowed to limit. https://kind.sigs.k8s.io/docs/user/rootless/ */
const DELEGATED = ['cpu', 'memory', 'pids'] as const;
const DELEGATE_PAGE = 'https://kind.sigs.k8s.io/docs/user/rootless/#host-requirements';

/** What an engine says of itself: whether it answers, and how it groups its containers. */
export async function checkEngine(status: RuntimeStatus): Promise<DiagnosticCheckDto[]> {
  return [
    availability(status),
    ...(status.available ? controlGroups(status) : []),
    ...(status.available && status.info?.capabilities.rootless ? await delegation(status.id) : []),
  ];
}

/** One engine that does not answer is a warning as long as another does; the page says so by `ready`. */
function availability({ id, available, reason, fix, info }: RuntimeStatus): DiagnosticCheckDto {
  if (!available) {
    return { name: `runtime-${id}`, title: id, level: 'warning', message: reason ?? 'does not answer', fix };
  }
  return {
    name: `runtime-${id}`,
    title: `${id} ${info?.version ?? ''}`.trim(),
    level: 'ok',
    message: info?.capabilities.rootless ? 'answers, rootless' : 'answers',
    fix: null,
  };
}

function controlGroups({ id, info }: RuntimeStatus): DiagnosticCheckDto[] {
  const version = info?.capabilities.cgroupVersion ?? null;
  if (version === null) return [];
  const current = version === 2;
  return [
    {
      name: `cgroup-${id}`,
      title: `Control groups of ${id}`,
      level: current ? 'ok' : 'warning',
      message: current
        ? 'version 2'
        : 'version 1, which Kubernetes has deprecated; node images from v1.35 on do not start on it',
      fix: current ? null : 'Boot with systemd.unified_cgroup_hierarchy=1, or use a newer system.',
    },
  ];
}

/** Rootless engines limit nodes by what the system hands down to its users; elsewhere there is nothing to read. */
async function delegation(engine: string): Promise<DiagnosticCheckDto[]> {
  const { uid } = userInfo();
  if (uid <= 0) return [];
  const folder = `/sys/fs/cgroup/user.slice/user-${uid}.slice/user@${uid}.service`;
  const text = await readFile(`${folder}/cgroup.controllers`, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const given = text.trim().split(' ');
  const lacking = DELEGATED.filter((controller) => !given.includes(controller));
  return [
    {
      name: `delegation-${engine}`,
      title: 'Control groups for your user',
      level: lacking.length === 0 ? 'ok' : 'warning',
      message:
        lacking.length === 0
          ? DELEGATED.join(', ')
          : `${lacking.join(', ')} may not be limited by your user, which rootless nodes need`,
      fix: lacking.length === 0 ? null : DELEGATE_PAGE,
    },
  ];
}
