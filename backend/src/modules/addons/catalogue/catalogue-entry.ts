import type { AddonCategory } from '../addon.js';

/** One addon that was looked at and is offered. */
export interface CatalogueEntry {
  name: string;
  title: string;
  /** What it is for, in a sentence. */
  purpose: string;
  category: AddonCategory;
  /** An index of charts by HTTPS, or the chart itself in a registry. */
  source: { repository: string } | { reference: string };
  chart: string;
  /** Pinned: the one whose values were looked at. */
  version: string;
  appVersion: string | null;
  namespace: string;
  release: string;
  /** Oldest minor version of Kubernetes 1, as the chart says it; null where it says none. */
  oldestKubernetes: number | null;
  /** YAML for a cluster of kind. */
  values: string;
  notes: string[];
  /** Entries that are wanted first. */
  needs: string[];
  /**
   * Said once it is installed: how to read a first password, and the like. `%ns` stands for its namespace, `%pool` for
   * addresses beside the nodes' own: where there are none to propose, the hint is left out.
   */
  hints: string[];
}
