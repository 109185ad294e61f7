/** The tabs of the cluster page, with their paths below that of the cluster. */
export const CLUSTER_TABS = [
  { path: '', title: $localize`Overview` },
  { path: 'access', title: $localize`Access` },
  { path: 'provision-log', title: $localize`Provision log` },
] as const;
