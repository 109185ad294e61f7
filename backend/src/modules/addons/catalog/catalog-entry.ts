import type { AddonCategory } from '../addon.js';

export interface CatalogEntry {
  name: string;
  title: string;
  purpose: string;
  category: AddonCategory;
  /** An HTTPS chart index, or the chart's OCI reference. */
  source: { repository: string } | { reference: string };
  chart: string;
  /** Pinned, because the values are checked against it. */
  version: string;
  appVersion: string | null;
  namespace: string;
  release: string;
  /** Minimum minor version of Kubernetes 1, from the chart; null if it has none. */
  oldestKubernetes: number | null;
  /** YAML for a kind cluster. */
  values: string;
  notes: string[];
  /** Entries that must be installed first. */
  needs: string[];
  /**
   * Next steps after the installation. `%ns` is replaced by the namespace, and `%pool` by free addresses on the nodes'
   * network; without such addresses the hint is left out.
   */
  hints: string[];
}
