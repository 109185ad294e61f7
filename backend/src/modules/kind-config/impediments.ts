import { recordOf } from '../../core/values/index.js';
import { nodesOf, type KindConfig } from './kind-config.js';
import { kubeadmPatchesOf, listOf, patchedValue, type KubeadmPatch } from './kubeadm-patches.js';

/** Why parts of a cluster do not become ready by themselves, as parts of sentences; null for what does. */
export interface Impediments {
  nodes: string | null;
  dns: string | null;
}

export const UNIMPEDED: Impediments = { nodes: null, dns: null };

/** Taints that CoreDNS tolerates, in any effect or in one. */
const TOLERATED = ['CriticalAddonsOnly', 'node-role.kubernetes.io/control-plane:NoSchedule'];
const REGISTRATION = ['InitConfiguration', 'JoinConfiguration'];

/** Finds the parts of a ready cluster that the config switches off. */
export function impedimentsOf(config: KindConfig): Impediments {
  const { disableDefaultCNI, kubeProxyMode } = config.networking ?? {};
  const all = nodesOf(config).map((node) => kubeadmPatchesOf(config, node));
  const first = all[nodesOf(config).findIndex(({ role }) => role !== 'worker')] ?? [];
  const skipped = listOf(patchedValue(first, 'InitConfiguration', ['skipPhases']));
  const leavesOut = (addon: string, field: string): boolean =>
    skipped.includes('addon') ||
    skipped.includes(`addon/${addon}`) ||
    patchedValue(first, 'ClusterConfiguration', [field, 'disabled']) === true;
  const nodes =
    disableDefaultCNI === true
      ? 'the config disables the default CNI, and another one is not ready'
      : kubeProxyMode === 'none' || leavesOut('kube-proxy', 'proxy')
        ? 'the config has no kube-proxy, and no replacement is ready'
        : null;
  if (nodes !== null) return { nodes, dns: nodes };
  if (leavesOut('coredns', 'dns')) return { nodes, dns: 'kubeadm does not install CoreDNS' };
  const taints = all.map((patches) => taintsOf(patches).find((taint) => !isTolerated(taint)));
  const [taint] = taints;
  const isTainted = taint !== undefined && !taints.includes(undefined);
  return { nodes, dns: isTainted ? `CoreDNS does not tolerate the taint ${taint} of the nodes` : null };
}

/** As `key=value:effect`, of all ways to register a node with taints. */
function taintsOf(patches: readonly KubeadmPatch[]): string[] {
  const listed = [
    ...REGISTRATION.map((kind) => patchedValue(patches, kind, ['nodeRegistration', 'taints'])),
    patchedValue(patches, 'KubeletConfiguration', ['registerWithTaints']),
  ];
  const args = REGISTRATION.map((kind) =>
    patchedValue(patches, kind, ['nodeRegistration', 'kubeletExtraArgs']),
  );
  return [
    ...listed.flatMap(listOf).map((taint) => {
      const { key = '', value = '', effect = '' } = recordOf(taint);
      return `${String(key)}${value === '' ? '' : `=${String(value)}`}:${String(effect)}`;
    }),
    ...args.flatMap((given) => argumentOf(given, 'register-with-taints').split(',')),
  ];
}

/** Arguments are a map up to `kubeadm.k8s.io/v1beta3`, and a list of names and values since v1beta4. */
function argumentOf(args: unknown, name: string): string {
  const listed = listOf(args)
    .map(recordOf)
    .find((argument) => argument['name'] === name);
  const value = listed?.['value'] ?? recordOf(args)[name];
  return typeof value === 'string' ? value : '';
}

function isTolerated(taint: string): boolean {
  const [, key = '', effect = ''] = /^([^=:]*)(?:=[^:]*)?:(.*)$/.exec(taint) ?? [];
  const keepsPodsAway = effect === 'NoSchedule' || effect === 'NoExecute';
  return !keepsPodsAway || TOLERATED.includes(key) || TOLERATED.includes(`${key}:${effect}`);
}
