/** A starting manifest. Names and images are to be replaced. */
export interface Template {
  kind: string;
  yaml: string;
}

/** In the order of the kinds in the sidebar. Each is accepted by a new cluster as it is. */
export const TEMPLATES: readonly Template[] = [
  {
    kind: 'Deployment',
    yaml: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.29
          ports:
            - name: http
              containerPort: 80
          resources:
            requests:
              cpu: 50m
              memory: 64Mi
            limits:
              memory: 128Mi
          readinessProbe:
            httpGet:
              path: /
              port: http
`,
  },
  {
    kind: 'StatefulSet',
    yaml: `apiVersion: v1
kind: Service
metadata:
  name: db
spec:
  clusterIP: None
  selector:
    app: db
  ports:
    - name: sql
      port: 5432
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
  labels:
    app: db
spec:
  serviceName: db
  replicas: 1
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: db
          image: postgres:18
          env:
            - name: POSTGRES_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: db
                  key: password
          ports:
            - name: sql
              containerPort: 5432
          volumeMounts:
            - name: data
              mountPath: /var/lib/postgresql
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes:
          - ReadWriteOnce
        resources:
          requests:
            storage: 1Gi
`,
  },
  {
    kind: 'DaemonSet',
    yaml: `apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
  labels:
    app: agent
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      tolerations:
        - key: node-role.kubernetes.io/control-plane
          effect: NoSchedule
      containers:
        - name: agent
          image: busybox:1.37
          command: [sh, -c, "while true; do date; sleep 60; done"]
`,
  },
  {
    kind: 'Job',
    yaml: `apiVersion: batch/v1
kind: Job
metadata:
  name: import
spec:
  backoffLimit: 2
  ttlSecondsAfterFinished: 3600
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: import
          image: busybox:1.37
          command: [sh, -c, "echo imported"]
`,
  },
  {
    kind: 'CronJob',
    yaml: `apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: "0 3 * * *"
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 1
  jobTemplate:
    spec:
      backoffLimit: 2
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: nightly
              image: busybox:1.37
              command: [sh, -c, "date"]
`,
  },
  {
    kind: 'Pod',
    yaml: `apiVersion: v1
kind: Pod
metadata:
  name: shell
spec:
  containers:
    - name: shell
      image: busybox:1.37
      command: [sleep, "3600"]
`,
  },
  {
    kind: 'Service',
    yaml: `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector:
    app: web
  ports:
    - name: http
      port: 80
      targetPort: http
`,
  },
  {
    kind: 'Ingress',
    yaml: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
spec:
  rules:
    - host: web.localhost
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: web
                port:
                  name: http
`,
  },
  {
    kind: 'NetworkPolicy',
    yaml: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: web
spec:
  podSelector:
    matchLabels:
      app: web
  policyTypes:
    - Ingress
  ingress:
    - from:
        - podSelector:
            matchLabels:
              access: web
      ports:
        - port: http
`,
  },
  {
    kind: 'ConfigMap',
    yaml: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  mode: development
  app.properties: |
    color=blue
    retries=3
`,
  },
  {
    kind: 'Secret',
    yaml: `apiVersion: v1
kind: Secret
metadata:
  name: db
type: Opaque
stringData:
  username: app
  password: change-it
`,
  },
  {
    kind: 'PersistentVolumeClaim',
    yaml: `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data
spec:
  accessModes:
    - ReadWriteOnce
  resources:
    requests:
      storage: 1Gi
`,
  },
  {
    kind: 'HorizontalPodAutoscaler',
    yaml: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  minReplicas: 2
  maxReplicas: 5
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 80
`,
  },
  {
    kind: 'Namespace',
    yaml: `apiVersion: v1
kind: Namespace
metadata:
  name: team
`,
  },
  {
    kind: 'ServiceAccount',
    yaml: `apiVersion: v1
kind: ServiceAccount
metadata:
  name: reader
automountServiceAccountToken: false
`,
  },
  {
    kind: 'Role and RoleBinding',
    yaml: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: pod-reader
rules:
  - apiGroups: [""]
    resources: [pods, pods/log]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: pod-reader
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: pod-reader
subjects:
  - kind: ServiceAccount
    name: reader
`,
  },
];
