import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create as createArchive } from 'tar';

/** Contents of a test chart. */
export interface OwnChart {
  name: string;
  version: string;
  /** Additional lines of Chart.yaml. */
  more?: string;
  values?: string;
  schema?: object;
  /** Files by path: `templates/deployment.yaml`. */
  files: Record<string, string>;
}

/** Packs a chart as `helm package` does. */
export async function packChart({
  name,
  version,
  more = '',
  values = '',
  schema,
  files,
}: OwnChart): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'chart-'));
  try {
    const all: Record<string, string> = {
      'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\nappVersion: "${version}"\ndescription: A chart of a test\n${more}`,
      'values.yaml': values,
      ...(schema ? { 'values.schema.json': JSON.stringify(schema) } : {}),
      ...files,
    };
    for (const [path, content] of Object.entries(all)) {
      const file = join(folder, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    const archive = createArchive({ gzip: true, cwd: folder }, [name]);
    const chunks: Buffer[] = [];
    for await (const chunk of archive as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An image in kind's nodes, so that it is not pulled. */
const PAUSE = 'registry.k8s.io/pause:3.10.1';

const SCHEMA = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    replicas: { type: 'integer', minimum: 0, maximum: 5 },
    mood: { enum: ['calm', 'eager'] },
    image: { type: 'string' },
    password: { type: 'string' },
  },
  additionalProperties: false,
};

/** Values with which the chart never becomes ready. */
export const HOPELESS = 'image: nowhere.invalid/nothing:v1\n';

/**
 * A chart with a Deployment of idle pods, a Service, a ConfigMap and a Secret. With a missing image, it never becomes
 * ready.
 */
export function shopChart(version: string, more = ''): OwnChart {
  return {
    name: 'shop',
    version,
    more,
    values: `# How many stand at the counter.\nreplicas: 1\nmood: calm\nimage: ${PAUSE}\npassword: none\n`,
    schema: SCHEMA,
    files: {
      'templates/NOTES.txt': 'The shop {{ .Release.Name }} is open in {{ .Release.Namespace }}.\n',
      'templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  mood: {{ .Values.mood | quote }}
  version: {{ .Chart.Version | quote }}
`,
      'templates/secret.yaml': `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-till
stringData:
  password: {{ .Values.password | quote }}
`,
      'templates/service.yaml': `apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}-counter
spec:
  selector: { app: {{ .Release.Name }} }
  ports: [{ name: http, port: 80, targetPort: 8080 }]
`,
      'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-counter
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec:
      terminationGracePeriodSeconds: 0
      containers:
        - name: counter
          image: {{ .Values.image | quote }}
          imagePullPolicy: IfNotPresent
`,
    },
  };
}
