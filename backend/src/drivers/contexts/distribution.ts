/** Names by which the tools that create clusters call their contexts, and servers by which others are known. */
const BY_CONTEXT: readonly [RegExp, string][] = [
  [/^kind-/, 'kind'],
  [/^k3d-/, 'k3d'],
  [/^minikube$/, 'minikube'],
  [/^docker-(desktop|for-desktop)$/, 'Docker Desktop'],
  [/^rancher-desktop$/, 'Rancher Desktop'],
  [/^colima(-|$)/, 'Colima'],
  [/^orbstack$/, 'OrbStack'],
  [/^microk8s$/, 'MicroK8s'],
  [/^gke_/, 'GKE'],
  [/^arn:aws[\w-]*:eks:/, 'EKS'],
  [/^do-/, 'DigitalOcean'],
];
const BY_SERVER: readonly [RegExp, string][] = [
  [/\.eks\.amazonaws\.com(\.cn)?$/, 'EKS'],
  [/\.azmk8s\.(io|us|cn)$/, 'AKS'],
  [/\.k8s\.ondigitalocean\.com$/, 'DigitalOcean'],
];

/** The distribution of Kubernetes that a context probably leads to, as its users call it; null if unknown. */
export function distributionOf(context: string, server: URL | null): string | null {
  const named = BY_CONTEXT.find(([pattern]) => pattern.test(context)) ?? [];
  const served = BY_SERVER.find(([pattern]) => server && pattern.test(server.hostname)) ?? [];
  return named[1] ?? served[1] ?? null;
}
