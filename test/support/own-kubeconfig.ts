/** A user's kubeconfig, as kubectl writes it. */
export const OWN_KUBECONFIG = `apiVersion: v1
clusters:
- cluster:
    server: https://work.example.org:6443
  name: work
contexts:
- context:
    cluster: work
    namespace: payments
    user: me
  name: work
current-context: work
kind: Config
users:
- name: me
  user:
    token: mine
`;
