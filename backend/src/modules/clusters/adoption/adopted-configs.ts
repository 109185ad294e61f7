import { Injectable } from '@nestjs/common';
import { Document } from '../../../core/yaml/index.js';
import { RuntimeRegistry, type NodeSettings, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import { adoptedMeta, type ClusterMeta } from '../inventory/cluster-meta.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { inKindsOrder } from '../inventory/describe-cluster.js';
import {
  type KindConfig,
  kindConfigYaml,
  type NodeFindings,
  nodeImageTagOf,
  rebuildKindConfig,
} from '../../kind-config/index.js';

/** A rebuilt config, and the metadata to save with it. */
export interface RebuiltConfig {
  /** YAML with a comment that lists what it may lack. */
  text: string;
  config: KindConfig;
  meta: ClusterMeta;
}

const KUBEADM_FILE = '/kind/kubeadm.conf';
const VERSION_FILE = '/kind/version';
/** The default network of kind writes this file seconds after the first start of a node. */
const DEFAULT_NETWORK_FILE = '/etc/cni/net.d/10-kindnet.conflist';
/** In a younger cluster the file may still be missing. */
const NETWORK_SET_UP_WITHIN_MS = 5 * 60_000;
/** kubeadm.conf has about 2 kB without patches. */
const MAX_FILE_BYTES = 256_000;

const HEAD = ` Rebuilt by Slipway from the containers of this cluster, which kind created outside Slipway.
 kind does not save its config. The containers do not contain the following:
   - containerdConfigPatches
   - kubeadmConfigPatches, for the cluster and for nodes
   - whether the port of the API server was configured or chosen at random; it is kept
 Review this config before you recreate the cluster from it.`;
const NETWORK_NOTE = ' The default network of kind was not found in the control plane.';
const UNREAD_NOTE = `
 ${KUBEADM_FILE} could not be read. Subnets, labels, feature gates and the kube-proxy mode are missing too.`;

@Injectable()
export class AdoptedConfigs {
  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
  ) {}

  /**
   * Reads the containers of a cluster, which may be stopped. The same containers result in the same text.
   * @returns undefined if the cluster has no control plane.
   * @throws DomainError `runtime_unavailable`
   */
  async rebuild(key: ClusterKey): Promise<RebuiltConfig | undefined> {
    const driver = this.runtimes.get(key.runtime);
    const [settings, listed] = await Promise.all([driver.inspectNodes(key.name), driver.listNodes()]);
    const found = inKindsOrder(settings);
    const [first] = found;
    if (first?.role !== 'control-plane') return undefined;
    const [nodes, networkFile] = await Promise.all([
      Promise.all(found.map((node) => this.readNode(driver, node, node === first))),
      driver.readNodeFile(first.id, DEFAULT_NETWORK_FILE, MAX_FILE_BYTES),
    ]);
    const containers = listed.filter(({ cluster }) => cluster === key.name);
    const meta = (await this.store.read(key)) ?? adoptedMeta(key, containers);
    const settled = Date.now() - Date.parse(meta.created_at) > NETWORK_SET_UP_WITHIN_MS;
    const config = rebuildKindConfig({
      name: key.name,
      nodes,
      withoutDefaultNetwork: networkFile === undefined && settled,
      rootless: driver.info().capabilities.rootless,
    });
    const complete = nodes.every(
      ({ kubeadm, settings: { role } }) => kubeadm !== undefined || role === 'external-load-balancer',
    );
    const tag = nodeImageTagOf(config.nodes?.[0]?.image);
    return {
      text: render(config, complete),
      config,
      meta: { ...meta, node_image_tag: tag ?? meta.node_image_tag },
    };
  }

  private async readNode(
    driver: RuntimeDriver,
    settings: NodeSettings,
    first: boolean,
  ): Promise<NodeFindings> {
    if (settings.role === 'external-load-balancer') {
      return { settings, kubernetesVersion: undefined, kubeadm: undefined };
    }
    const [version, kubeadm] = await Promise.all(
      [VERSION_FILE, KUBEADM_FILE].map((path) => driver.readNodeFile(settings.id, path, MAX_FILE_BYTES)),
    );
    return {
      settings,
      kubernetesVersion: version?.trim(),
      kubeadm: kubeadm === undefined ? undefined : await kindConfigYaml.readKubeadmConfig(kubeadm, first),
    };
  }
}

function render(config: KindConfig, complete: boolean): string {
  const document = new Document(config, { aliasDuplicateObjects: false });
  document.commentBefore = complete ? HEAD : HEAD + UNREAD_NOTE;
  const note: unknown = document.getIn(['networking', 'disableDefaultCNI'], true);
  if (note !== undefined) (note as { comment: string }).comment = NETWORK_NOTE;
  return document.toString({ lineWidth: 0 });
}
