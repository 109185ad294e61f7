import { isIP } from 'node:net';
import { recordOf } from '../../core/values/index.js';
import { parseAllYaml, toValue } from '../../core/yaml/index.js';

/** The settings of a kind config that a node's `/kind/kubeadm.conf` contains; undefined if it does not. */
export interface KubeadmFindings {
  podSubnet: string | undefined;
  serviceSubnet: string | undefined;
  kubeProxyMode: string | undefined;
  /** Addresses in the API server's certificate, including the one that kind publishes. */
  apiServerAddresses: string[];
  featureGates: Record<string, boolean>;
  runtimeConfig: Record<string, string>;
  labels: Record<string, string>;
}

/** kind's own has five. */
const MAX_DOCUMENTS = 20;

/**
 * Reads the kubeadm config of one node, with all patches merged in (kind
 * `pkg/cluster/internal/kubeadm/config.go`). Arguments are a map up to `kubeadm.k8s.io/v1beta3`, and a list
 * of names and values since v1beta4.
 * @param first whether the node is the first control plane. The others have a JoinConfiguration.
 * @returns undefined for a text that is not kind's.
 */
export function readKubeadmConfig(text: string, first: boolean): KubeadmFindings | undefined {
  const documents = parseAllYaml(text, { uniqueKeys: false });
  if (documents.length > MAX_DOCUMENTS) return undefined;
  const values: Record<string, unknown>[] = [];
  for (const document of documents) {
    if (document.errors.length > 0) return undefined;
    values.push(recordOf(toValue(document)));
  }
  const find = (kind: string): Record<string, unknown> | undefined =>
    values.find((value) => value['kind'] === kind);
  const cluster = find('ClusterConfiguration');
  const init = find('InitConfiguration');
  if (!cluster || !init) return undefined;
  const networking = recordOf(cluster['networking']);
  const apiServer = recordOf(cluster['apiServer']);
  const registration = recordOf((first ? init : find('JoinConfiguration'))?.['nodeRegistration']);
  return {
    podSubnet: textOf(networking['podSubnet']),
    serviceSubnet: textOf(networking['serviceSubnet']),
    kubeProxyMode: listOf(init['skipPhases']).includes('addon/kube-proxy')
      ? 'none'
      : textOf(find('KubeProxyConfiguration')?.['mode']),
    apiServerAddresses: listOf(apiServer['certSANs']).filter(
      (name) => typeof name === 'string' && isIP(name) !== 0,
    ) as string[],
    featureGates: Object.fromEntries(
      Object.entries(recordOf(find('KubeletConfiguration')?.['featureGates'])).filter(
        (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
      ),
    ),
    runtimeConfig: pairsOf(argumentOf(apiServer['extraArgs'], 'runtime-config')),
    labels: pairsOf(argumentOf(registration['kubeletExtraArgs'], 'node-labels')),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function argumentOf(args: unknown, name: string): string {
  const value = Array.isArray(args)
    ? args.map(recordOf).find((argument) => argument['name'] === name)?.['value']
    : recordOf(args)[name];
  return textOf(value) ?? '';
}

/** From `a=1,b=2`. */
function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.trim())
      .filter((pair) => pair.includes('='))
      .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
      // kind writes labels in random order, and the same cluster must give the same text.
      .sort(([one], [other]) => one.localeCompare(other)),
  );
}
