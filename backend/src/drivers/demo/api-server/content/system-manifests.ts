/** What kind and kubeadm put into a cluster. VERSION is the cluster's own. */
export const SYSTEM_MANIFESTS = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: standard
  annotations: { storageclass.kubernetes.io/is-default-class: "true" }
provisioner: rancher.io/local-path
reclaimPolicy: Delete
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: system-cluster-critical }
value: 2000000000
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: system-node-critical }
value: 2000001000
---
apiVersion: v1
kind: Service
metadata: { name: kubernetes, namespace: default, labels: { component: apiserver, provider: kubernetes } }
spec:
  clusterIP: 10.96.0.1
  ports: [{ name: https, port: 443, targetPort: 6443 }]
---
apiVersion: v1
kind: Service
metadata: { name: kube-dns, namespace: kube-system, labels: { k8s-app: kube-dns, kubernetes.io/name: CoreDNS } }
spec:
  clusterIP: 10.96.0.10
  selector: { k8s-app: kube-dns }
  ports:
    - { name: dns, port: 53, protocol: UDP }
    - { name: dns-tcp, port: 53, protocol: TCP }
    - { name: metrics, port: 9153, protocol: TCP }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: coredns, namespace: kube-system }
data:
  Corefile: |
    .:53 {
        errors
        health { lameduck 5s }
        ready
        kubernetes cluster.local in-addr.arpa ip6.arpa { pods insecure }
        prometheus :9153
        forward . /etc/resolv.conf
        cache 30
        loop
        reload
    }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: kube-proxy, namespace: kube-system, labels: { app: kube-proxy } }
data: { config.conf: "mode: iptables", kubeconfig.conf: "apiVersion: v1" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: kubeadm-config, namespace: kube-system }
data: { ClusterConfiguration: "kubernetesVersion: VERSION" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: kubelet-config, namespace: kube-system }
data: { kubelet: "cgroupDriver: systemd" }
---
apiVersion: v1
kind: Secret
metadata: { name: bootstrap-token-abcdef, namespace: kube-system }
type: bootstrap.kubernetes.io/token
stringData: { token-id: abcdef, token-secret: "0123456789abcdef", usage-bootstrap-signing: "true" }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: coredns, namespace: kube-system }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: kindnet, namespace: kube-system }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: kube-proxy, namespace: kube-system }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: local-path-provisioner-service-account, namespace: local-path-storage }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: cluster-admin, labels: { kubernetes.io/bootstrapping: rbac-defaults } }
rules:
  - { apiGroups: ["*"], resources: ["*"], verbs: ["*"] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: admin, labels: { kubernetes.io/bootstrapping: rbac-defaults } }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: edit, labels: { kubernetes.io/bootstrapping: rbac-defaults } }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: view, labels: { kubernetes.io/bootstrapping: rbac-defaults } }
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: "system:coredns" }
rules:
  - { apiGroups: [""], resources: [endpoints, services, pods, namespaces], verbs: [list, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: cluster-admin, labels: { kubernetes.io/bootstrapping: rbac-defaults } }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:masters" }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: "system:coredns" }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "system:coredns" }
subjects:
  - { kind: ServiceAccount, name: coredns, namespace: kube-system }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: "kubeadm:kubelet-config", namespace: kube-system }
rules:
  - { apiGroups: [""], resources: [configmaps], resourceNames: [kubelet-config], verbs: [get] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: "kubeadm:kubelet-config", namespace: kube-system }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: "kubeadm:kubelet-config" }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:nodes" }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: kindnet, namespace: kube-system, labels: { app: kindnet, k8s-app: kindnet, tier: node } }
spec:
  selector: { matchLabels: { app: kindnet } }
  template:
    metadata: { labels: { app: kindnet, k8s-app: kindnet, tier: node } }
    spec:
      hostNetwork: true
      serviceAccountName: kindnet
      tolerations: [{ operator: Exists, effect: NoSchedule }]
      containers:
        - name: kindnet-cni
          image: docker.io/kindest/kindnetd:v20260820
          resources: { requests: { cpu: 100m, memory: 50Mi }, limits: { cpu: 100m, memory: 50Mi } }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: kube-proxy, namespace: kube-system, labels: { k8s-app: kube-proxy } }
spec:
  selector: { matchLabels: { k8s-app: kube-proxy } }
  template:
    metadata: { labels: { k8s-app: kube-proxy } }
    spec:
      hostNetwork: true
      priorityClassName: system-node-critical
      serviceAccountName: kube-proxy
      nodeSelector: { kubernetes.io/os: linux }
      tolerations: [{ operator: Exists }]
      containers:
        - { name: kube-proxy, image: "registry.k8s.io/kube-proxy:VERSION" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: coredns, namespace: kube-system, labels: { k8s-app: kube-dns } }
spec:
  replicas: 2
  strategy: { rollingUpdate: { maxUnavailable: 1 } }
  selector: { matchLabels: { k8s-app: kube-dns } }
  template:
    metadata: { labels: { k8s-app: kube-dns } }
    spec:
      priorityClassName: system-cluster-critical
      serviceAccountName: coredns
      nodeSelector: { kubernetes.io/os: linux }
      tolerations:
        - { key: CriticalAddonsOnly, operator: Exists }
        - { key: node-role.kubernetes.io/control-plane, effect: NoSchedule }
      containers:
        - name: coredns
          image: registry.k8s.io/coredns/coredns:v1.12.4
          args: [-conf, /etc/coredns/Corefile]
          ports:
            - { name: dns, containerPort: 53, protocol: UDP }
            - { name: dns-tcp, containerPort: 53, protocol: TCP }
            - { name: metrics, containerPort: 9153, protocol: TCP }
          resources: { requests: { cpu: 100m, memory: 70Mi }, limits: { memory: 170Mi } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: local-path-provisioner, namespace: local-path-storage }
spec:
  replicas: 1
  selector: { matchLabels: { app: local-path-provisioner } }
  template:
    metadata: { labels: { app: local-path-provisioner } }
    spec:
      serviceAccountName: local-path-provisioner-service-account
      nodeSelector: { kubernetes.io/os: linux }
      tolerations:
        - { key: node-role.kubernetes.io/control-plane, operator: Equal, effect: NoSchedule }
      containers:
        - { name: local-path-provisioner, image: "docker.io/kindest/local-path-provisioner:v20260820" }
`;

/** A part of the control plane, as kubeadm writes it onto each of its nodes. */
export const STATIC_PODS = [
  { name: 'etcd', image: 'registry.k8s.io/etcd:3.6.5-0', cpu: '100m', memory: '100Mi' },
  { name: 'kube-apiserver', image: 'registry.k8s.io/kube-apiserver:VERSION', cpu: '250m', memory: '320Mi' },
  {
    name: 'kube-controller-manager',
    image: 'registry.k8s.io/kube-controller-manager:VERSION',
    cpu: '200m',
    memory: '80Mi',
  },
  { name: 'kube-scheduler', image: 'registry.k8s.io/kube-scheduler:VERSION', cpu: '100m', memory: '40Mi' },
] as const;
