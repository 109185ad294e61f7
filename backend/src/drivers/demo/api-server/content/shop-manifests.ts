/** An app as somebody would have applied it by kubectl: with work that goes well, and some that does not. */
export const SHOP_MANIFESTS = `
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata: { name: shop-settings, namespace: shop, labels: { app.kubernetes.io/part-of: shop } }
data:
  LOG_LEVEL: info
  CURRENCY: EUR
  CATALOGUE_URL: http://api.shop.svc.cluster.local:8080/catalogue
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web-nginx, namespace: shop, labels: { app: web } }
data:
  default.conf: |
    server {
      listen 8080;
      location /api/ { proxy_pass http://api:8080/; }
      location /healthz { return 204; }
    }
---
apiVersion: v1
kind: Secret
metadata: { name: postgres-credentials, namespace: shop, labels: { app: postgres } }
type: Opaque
stringData:
  username: shop
  password: demo-only-orange-kettle
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: ledger, namespace: shop }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: ledger, namespace: shop }
rules:
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ledger, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ledger }
subjects:
  - { kind: ServiceAccount, name: ledger, namespace: shop }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: postgres, namespace: shop, labels: { app: postgres, app.kubernetes.io/part-of: shop } }
spec:
  serviceName: postgres
  replicas: 1
  selector: { matchLabels: { app: postgres } }
  template:
    metadata: { labels: { app: postgres } }
    spec:
      containers:
        - name: postgres
          image: docker.io/library/postgres:17
          ports: [{ name: sql, containerPort: 5432 }]
          envFrom: [{ secretRef: { name: postgres-credentials } }]
          resources: { requests: { cpu: 200m, memory: 256Mi }, limits: { memory: 512Mi } }
          volumeMounts: [{ name: data, mountPath: /var/lib/postgresql/data }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 2Gi } }
---
apiVersion: v1
kind: Service
metadata: { name: postgres, namespace: shop, labels: { app: postgres } }
spec:
  clusterIP: None
  selector: { app: postgres }
  ports: [{ name: sql, port: 5432 }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { app: web, app.kubernetes.io/part-of: shop } }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: shop/web:1.4.0
          ports: [{ name: http, containerPort: 8080 }]
          resources: { requests: { cpu: 50m, memory: 64Mi }, limits: { memory: 128Mi } }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop, labels: { app: web } }
spec:
  selector: { app: web }
  ports: [{ name: http, port: 80, targetPort: http }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: api, namespace: shop, labels: { app: api, app.kubernetes.io/part-of: shop } }
spec:
  replicas: 2
  selector: { matchLabels: { app: api } }
  template:
    metadata: { labels: { app: api } }
    spec:
      containers:
        - name: api
          image: shop/api:dev
          ports: [{ name: http, containerPort: 8080 }]
          envFrom: [{ configMapRef: { name: shop-settings } }]
          resources: { requests: { cpu: 100m, memory: 128Mi }, limits: { memory: 256Mi } }
---
apiVersion: v1
kind: Service
metadata: { name: api, namespace: shop, labels: { app: api } }
spec:
  selector: { app: api }
  ports: [{ name: http, port: 8080 }]
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ledger, namespace: shop, labels: { app: ledger, app.kubernetes.io/part-of: shop } }
spec:
  replicas: 1
  selector: { matchLabels: { app: ledger } }
  template:
    metadata: { labels: { app: ledger } }
    spec:
      serviceAccountName: ledger
      initContainers:
        - { name: migrate, image: "shop/api:dev", command: [shop, migrate] }
      containers:
        - name: ledger
          image: shop/worker:latest
          resources: { requests: { cpu: 50m, memory: 96Mi } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: mailer, namespace: shop, labels: { app: mailer, app.kubernetes.io/part-of: shop } }
spec:
  replicas: 1
  selector: { matchLabels: { app: mailer } }
  template:
    metadata: { labels: { app: mailer } }
    spec:
      containers:
        - name: mailer
          image: shop/worker:latest
          command: [sh, -c, "echo SMTP_HOST is not set >&2; exit 1"]
          resources: { requests: { cpu: 20m, memory: 32Mi } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: reports, namespace: shop, labels: { app: reports, app.kubernetes.io/part-of: shop } }
spec:
  replicas: 1
  selector: { matchLabels: { app: reports } }
  template:
    metadata: { labels: { app: reports } }
    spec:
      containers:
        - { name: reports, image: "registry.shop.invalid/reports:2.0.0" }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly-totals, namespace: shop, labels: { app: totals } }
spec:
  schedule: "*/10 * * * *"
  jobTemplate:
    spec:
      template:
        metadata: { labels: { app: totals } }
        spec:
          restartPolicy: OnFailure
          containers:
            - { name: totals, image: "shop/worker:latest", command: [shop, totals] }
---
apiVersion: batch/v1
kind: Job
metadata: { name: import-catalogue, namespace: shop, labels: { app: import } }
spec:
  template:
    metadata: { labels: { app: import } }
    spec:
      restartPolicy: Never
      containers:
        - { name: import, image: "shop/api:dev", command: [shop, import, /catalogue.csv] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web, namespace: shop, labels: { app: web } }
spec:
  ingressClassName: nginx
  rules:
    - host: shop.localhost
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: web, port: { name: http } } }
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: postgres, namespace: shop }
spec:
  podSelector: { matchLabels: { app: postgres } }
  policyTypes: [Ingress]
  ingress:
    - from: [{ podSelector: { matchLabels: { app: api } } }]
      ports: [{ port: 5432 }]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: api, namespace: shop }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: api }
  minReplicas: 2
  maxReplicas: 6
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: 80 } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: shop }
spec:
  minAvailable: 2
  selector: { matchLabels: { app: web } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: postgres, namespace: shop }
spec:
  maxUnavailable: 0
  selector: { matchLabels: { app: postgres } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: backups.shop.example.com }
spec:
  group: shop.example.com
  scope: Namespaced
  names: { plural: backups, singular: backup, kind: Backup, shortNames: [bk] }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { database: { type: string }, keep: { type: integer } }
            status: { type: object, x-kubernetes-preserve-unknown-fields: true }
      subresources: { status: {} }
      additionalPrinterColumns:
        - { name: Database, type: string, jsonPath: .spec.database }
        - { name: Keep, type: integer, jsonPath: .spec.keep }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp }
---
apiVersion: shop.example.com/v1
kind: Backup
metadata: { name: hourly, namespace: shop }
spec: { database: postgres-0, keep: 24 }
---
apiVersion: shop.example.com/v1
kind: Backup
metadata: { name: weekly, namespace: shop }
spec: { database: postgres-0, keep: 8 }
`;
