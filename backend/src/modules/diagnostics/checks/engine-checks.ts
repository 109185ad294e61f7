import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { RuntimeStatus } from '../../../drivers/runtime/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** Controllers that rootless nodes need. https://kind.sigs.k8s.io/docs/user/rootless/ */
const DELEGATED = ['cpu', 'memory', 'pids'] as const;
const DELEGATE_PAGE = 'https://kind.sigs.k8s.io/docs/user/rootless/#host-requirements';

export async function checkEngine(status: RuntimeStatus): Promise<DiagnosticCheckDto[]> {
  return [
    availability(status),
    ...(status.available ? controlGroups(status) : []),
    ...(status.available && status.info?.capabilities.rootless ? await delegation(status.id) : []),
  ];
}

/** An unavailable engine is only a warning, because another may be available; see `ready`. */
function availability({ id, available, reason, fix, info }: RuntimeStatus): DiagnosticCheckDto {
  if (!available) {
    return { name: `runtime-${id}`, title: id, level: 'warning', message: reason ?? 'not available', fix };
  }
  return {
    name: `runtime-${id}`,
    title: `${id} ${info?.version ?? ''}`.trim(),
    level: 'ok',
    message: info?.capabilities.rootless ? 'available, rootless' : 'available',
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
      title: `cgroup version of ${id}`,
      level: current ? 'ok' : 'warning',
      message: current
        ? 'version 2'
        : 'version 1, which is deprecated in Kubernetes; node images v1.35 and later do not start',
      fix: current ? null : 'Boot with systemd.unified_cgroup_hierarchy=1, or upgrade the operating system.',
    },
  ];
}

/** Rootless engines can only limit the resources that systemd delegates to the user. */
async function delegation(engine: string): Promise<DiagnosticCheckDto[]> {
  const { uid } = userInfo();
  if (uid <= 0) return [];
  const folder = `/sys/fs/cgroup/user.slice/user-${uid}.slice/user@${uid}.service`;
  const text = await readFile(`${folder}/cgroup.controllers`, 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const delegated = text.trim().split(' ');
  const missing = DELEGATED.filter((controller) => !delegated.includes(controller));
  return [
    {
      name: `delegation-${engine}`,
      title: 'Delegated cgroup controllers',
      level: missing.length === 0 ? 'ok' : 'warning',
      message:
        missing.length === 0
          ? DELEGATED.join(', ')
          : `${missing.join(', ')} not delegated to your user, but rootless nodes need it`,
      fix: missing.length === 0 ? null : DELEGATE_PAGE,
    },
  ];
}
