import type { OwnChart } from './own-chart.js';

const VERSION = '0.9.0';

/**
 * A minimal chart of metrics-server that serves `metrics.k8s.io`. It accepts the self-signed certificates of kind's
 * kubelets, and uses the shortest resolution.
 *
 * `apiService.create` registers the APIService, as in the original chart. Register it after kube-proxy knows the
 * Service. Before that, requests to the Service leave the node, and on networks that accept every address the API server
 * keeps that connection and never reaches metrics-server.
 */
export const METRICS_SERVER_CHART: OwnChart = {
  name: 'metrics-server',
  version: VERSION,
  values: 'apiService: { create: true }\n',
  files: {
    'templates/access.yaml': `apiVersion: v1
kind: ServiceAccount
metadata: { name: metrics-server }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: system:metrics-server }
rules:
  - { apiGroups: [''], resources: [nodes/metrics], verbs: [get] }
  - { apiGroups: [''], resources: [pods, nodes], verbs: [get, list, watch] }
{{- range list "system:metrics-server" "system:auth-delegator" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: "metrics-server:{{ . }}" }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "{{ . }}" }
subjects: [{ kind: ServiceAccount, name: metrics-server, namespace: "{{ $.Release.Namespace }}" }]
{{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: metrics-server-auth-reader, namespace: kube-system }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: extension-apiserver-authentication-reader }
subjects: [{ kind: ServiceAccount, name: metrics-server, namespace: "{{ .Release.Namespace }}" }]
`,
    'templates/server.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: { name: metrics-server }
spec:
  selector: { matchLabels: { app: metrics-server } }
  template:
    metadata: { labels: { app: metrics-server } }
    spec:
      serviceAccountName: metrics-server
      terminationGracePeriodSeconds: 0
      containers:
        - name: metrics-server
          image: registry.k8s.io/metrics-server/metrics-server:v${VERSION}
          imagePullPolicy: IfNotPresent
          args:
            - --cert-dir=/tmp
            - --secure-port=10250
            - --kubelet-preferred-address-types=InternalIP
            - --kubelet-insecure-tls
            - --metric-resolution=10s
            - --kubelet-request-timeout=5s
          ports: [{ name: https, containerPort: 10250 }]
          readinessProbe:
            httpGet: { path: /readyz, port: https, scheme: HTTPS }
            periodSeconds: 2
          volumeMounts: [{ name: tmp, mountPath: /tmp }]
      volumes: [{ name: tmp, emptyDir: {} }]
---
apiVersion: v1
kind: Service
metadata: { name: metrics-server }
spec:
  selector: { app: metrics-server }
  ports: [{ name: https, port: 443, targetPort: https }]
{{- if .Values.apiService.create }}
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: { name: v1beta1.metrics.k8s.io }
spec:
  group: metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: { name: metrics-server, namespace: "{{ .Release.Namespace }}" }
{{- end }}
`,
  },
};
