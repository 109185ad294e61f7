import { expect, it } from '@jest/globals';
import { waitFor } from '../../support/wait-for.js';
import type { RealCluster } from '../support/real-cluster.js';

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
}

const FIELDS =
  'size: {type: integer}, port: {x-kubernetes-int-or-string: true}, any: {x-kubernetes-preserve-unknown-fields: true}';
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.schemas.example}
spec:
  group: schemas.example
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, required: [size], properties: {${FIELDS}}}}
`;

export function testSchemas(cluster: RealCluster): void {
  const read = async (type: string): Promise<{ status: number; body: Schema }> =>
    await cluster.product.call<Schema>('GET', `/clusters/${cluster.name}/schemas/${type}`);

  it('returns the JSON Schema of a built-in kind with everything it reaches', async () => {
    const { status, body } = await read('apps/v1/deployments');
    expect(status).toBe(200);
    const ofName = (name: string): Schema | undefined => body.$defs?.[name];
    expect(body.$ref).toBe('#/$defs/io.k8s.api.apps.v1.Deployment');
    expect(ofName('io.k8s.api.apps.v1.DeploymentSpec')).toMatchObject({
      type: 'object',
      properties: { replicas: { type: 'integer' }, template: { $ref: expect.any(String) } },
      required: ['selector', 'template'],
      additionalProperties: false,
    });
    expect(ofName('io.k8s.api.core.v1.Container')?.required).toEqual(['name']);
    expect(ofName('io.k8s.apimachinery.pkg.util.intstr.IntOrString')?.type).toEqual(['integer', 'string']);
    const references = [...JSON.stringify(body).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name);
    expect(references.filter((name) => name === undefined || !ofName(name))).toEqual([]);
  });

  it('returns the schema of every kind that the cluster serves', async () => {
    const path = `/clusters/${cluster.name}/resources`;
    const { body: types } = await cluster.product.call<
      { group: string; version: string; plural: string; verbs: string[] }[]
    >('GET', path);
    const missing: string[] = [];
    for (const { group, version, plural, verbs } of types) {
      const name = `${group}/${version}/${plural}`;
      if (verbs.includes('create') && (await read(name)).status !== 200) missing.push(name);
    }
    expect(missing).toEqual([]);
  });

  it('returns the schema of a CRD', async () => {
    const path = `/clusters/${cluster.name}/resources/apply`;
    const { body: applied } = await cluster.product.call('POST', path, { yaml: CRD });
    expect(applied).toMatchObject({ documents: [{ outcome: 'created' }] });
    // The API server publishes it some seconds later.
    await waitFor(async () => (await read('schemas.example/v1/widgets')).status === 200, 'the schema');
    const { body } = await read('schemas.example/v1/widgets');
    const [root] = Object.values(body.$defs ?? {}).filter(({ properties }) => properties?.['spec']);
    expect(root?.properties?.['spec']).toMatchObject({
      required: ['size'],
      properties: { size: { type: 'integer' }, port: { type: ['integer', 'string'] } },
      additionalProperties: false,
    });
    await cluster.kubectl('delete', 'crd', 'widgets.schemas.example');
  });
}
