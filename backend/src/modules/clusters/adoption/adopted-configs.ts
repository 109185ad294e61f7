import { Injectable } from '@nestjs/common';
import { Document } from '../../../core/yaml/index.js';
import { RuntimeRegistry, type NodeSettings, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import {
  adoptedMeta,
  type ClusterKey,
  type ClusterMeta,
  ClusterStore,
  inKindsOrder,
} from '../inventory/index.js';
import {
  type KindConfig,
  kindConfigYaml,
  type NodeFindings,
  nodeImageTagOf,
  rebuildKindConfig,
} from '../../kind-config/index.js';

/** A config that was rebuilt, with the meta to save beside it. */
export interface RebuiltConfig {
  /** YAML with a head that says what it is and what it may lack. */
  text: string;
  config: KindConfig;
  meta: ClusterMeta;
}

const KUBEADM_FILE = '/kind/kubeadm.conf';
const VERSION_FILE = '/kind/version';
/** kind's own network writes it on every node, seconds after the node's first start. */
const DEFAULT_NETWORK_FILE = '/etc/cni/net.d/10-kindnet.conflist';
/** How old a cluster must be for the lack of that file to mean something. */
const NETWORK_SET_UP_WITHIN_MS = 5 * 60_000;
/** kind's own kubeadm.conf has some 2 kB; patches may add to it. */
const MAX_FILE_BYTES = 256_000;

const HEAD = ` Rebuilt by Slipway from the containers of this cluster, which kind made elsewhere.
 kind keeps no copy of the config that it was given. What its containers do not tell is missing here:
   - containerdConfigPatches
   - kubeadmConfigPatches, for the cluster and for nodes
   - whether the API server's port was chosen or came by chance; it is kept as it is
 Look it over before you make the cluster anew from it.`;
const NETWORK_NOTE = " No trace of kind's own network was found in the control plane.";
const UNREAD_NOTE = `
 ${KUBEADM_FILE} could not be read: subnets, labels, feature gates and kube-proxy's mode are missing too.`;

/** Rebuilds the configs of clusters that kind made outside the product. */
@Injectable()
export class AdoptedConfigs {
  constructor(
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
  ) {}

  /**
   * Asks the cluster's containers, whether they run or not. The same containers give the same text.
   * @returns undefined where it has no containers that could tell.
   * @throws DomainError `runtime_unavailable`
   */
  async rebuild(key: ClusterKey): Promise<RebuiltConfig | undefined> {
    const driver = this.runtimes.get(key.runtime);
    const [settings, listed] = await Promise.all([driver.inspectNodes(key.name), driver.listNodes()]);
    const found = inKindsOrder(settings);
    const [first] = found;
    if (first?.role !== 'control-plane') return undefined;
    const [nodes, networkFile] = await Promise.all([
      Promise.all(found.map((node) => this.ask(driver, node, node === first))),
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

  private async ask(driver: RuntimeDriver, settings: NodeSettings, first: boolean): Promise<NodeFindings> {
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
