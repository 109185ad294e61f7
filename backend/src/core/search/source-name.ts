interface Named {
  kind: string;
  cluster: string | null;
  namespace: string | null;
  name: string;
  container: string | null;
  service: string | null;
}

/** The name of a log source in commands and queries: `shop/payments/api-0`, `shop-worker/kubelet` or that of a container. */
export function sourceName({ kind, cluster, namespace, name, container, service }: Named): string {
  const owner = kind === 'pod' ? [cluster, namespace] : [];
  return [...owner, name, container, service].filter((part) => part !== null).join('/');
}
