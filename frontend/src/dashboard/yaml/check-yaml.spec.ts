import { yaml } from '@codemirror/lang-yaml';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from '@jest/globals';
import { checkYaml } from './check-yaml';
import { DEPLOYMENT } from './testing/deployment';
import type { DocumentSchemas } from './yaml-documents';

const schemas: DocumentSchemas = {
  of: ({ apiVersion, kind }) =>
    Promise.resolve(
      kind === 'Deployment'
        ? {
            schema: DEPLOYMENT,
            ...(apiVersion === 'v1'
              ? { warning: { field: 'apiVersion', message: 'not served' } as const }
              : {}),
          }
        : undefined,
    ),
};

/** Each problem as `line "marked text" message`. */
async function check(text: string): Promise<string[]> {
  const state = EditorState.create({ doc: text, extensions: [yaml()] });
  const found = await checkYaml(state, schemas, new AbortController().signal);
  return found.map(({ from, to, severity, message }) => {
    const mark = severity === 'warning' ? 'warning ' : '';
    return `${state.doc.lineAt(from).number} ${mark}"${state.sliceDoc(from, to)}" ${message}`;
  });
}

/** Checks a Deployment; `spec` and what follows is indented. */
function checkSpec(spec: string): Promise<string[]> {
  const lines = spec.split('\n').map((line) => `  ${line}\n`);
  return check(`apiVersion: apps/v1\nkind: Deployment\nspec:\n${lines.join('')}`);
}

describe('checkYaml', () => {
  it.each([
    ['replica: 3', '4 "replica" replica is not a field of DeploymentSpec. Did you mean replicas?'],
    ['Paused: true', '4 "Paused" Paused is not a field of DeploymentSpec. Did you mean paused?'],
    ['nothing: 3', '4 "nothing" nothing is not a field of DeploymentSpec.'],
    ['constructor: 3', '4 "constructor" constructor is not a field of DeploymentSpec.'],
    ['replicas: "3"', '4 ""3"" replicas must be an integer, not a string.'],
    ['replicas: 1.5', '4 "1.5" replicas must be an integer, not a number.'],
    ['replicas: {a: 1}', '4 "replicas" replicas must be an integer, not a map.'],
    ['paused: "yes"', '4 ""yes"" paused must be true or false, not a string.'],
    ['surge: true', '4 "true" surge must be an integer or a string, not true or false.'],
    ['containers: {}', '4 "containers" containers must be a list, not a map.'],
    ['labels: {a: 1}', '4 "1" a must be a string, not an integer. Put it in quotes.'],
    ['labels:\n  a: yes', '5 "yes" a must be a string, not true or false. Put it in quotes.'],
    ['policy: always', '4 "always" always is not a value of policy. Did you mean Always?'],
    ['policy: "Sometimes"', '4 ""Sometimes"" Sometimes is not a value of policy. Use one of: Always, Never.'],
    ['modes: [ReadWrite, Own]', '4 "Own" Own is not a value of modes. Use one of: ReadWrite, ReadOnly.'],
    ['paused: true\npaused: false', '5 "paused" paused is set twice in the same map.'],
    ['containers: [{image: a}]', '4 warning "image" Container requires name.'],
    ['containers:\n- image: a\n  own:\n    image: b\n  name: c', '6 warning "own" Container requires name.'],
  ])('finds the problem of %j', async (spec, expected) => {
    expect(await checkSpec(spec)).toEqual([expected]);
  });

  it.each([
    'replicas: 3\npaused: true\nsurge: 25%\nlabels: {a: "1", "b": c}',
    'replicas:\ncontainers: null\npaused: ~',
    'surge: 1\npolicy: Always',
    'open: {any: {thing: [1, a]}}',
    'labels: &a {x: z}\nreplicas: *a',
    'replicas: !!int "3"',
    'containers:\n- <<: *defaults\n  image: a',
    'text: |\n  replica: 3',
  ])('accepts %j', async (spec) => {
    expect(await checkSpec(spec)).toEqual([]);
  });

  it('checks each document by its own head', async () => {
    const text = 'kind: Other\nspec: 1\n---\nkind: Deployment\nspec: {replica: 1}\n---\n# end\n';
    expect(await check(text)).toEqual([
      '5 "replica" replica is not a field of DeploymentSpec. Did you mean replicas?',
    ]);
  });

  it('marks the field of the head that has a warning', async () => {
    expect(await check('kind: Deployment\napiVersion: v1\n')).toEqual(['2 warning "v1" not served']);
  });

  it('reports up to 100 problems', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `no${index}: 1`);
    expect(await checkSpec(lines.join('\n'))).toHaveLength(100);
  });

  it('ends when the signal aborts', async () => {
    const abort = new AbortController();
    const doc = 'kind: Deployment\nspec: {}\n---\n'.repeat(5000);
    const state = EditorState.create({ doc, extensions: [yaml()] });
    const checking = checkYaml(state, schemas, abort.signal);
    abort.abort(new Error('changed'));
    await expect(checking).rejects.toThrow('changed');
  });

  it('leaves time to others while it checks a long text', async () => {
    const containers = '  - name: web\n    image: shop/web:1.4.0\n'.repeat(6000);
    const doc = `kind: Deployment\nspec:\n  containers:\n${containers}`;
    const state = EditorState.create({ doc, extensions: [yaml()] });
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    expect(await checkYaml(state, schemas, new AbortController().signal)).toEqual([]);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  it('does not follow nested values without end', async () => {
    expect(await checkSpec(`open: ${'['.repeat(500)}${']'.repeat(500)}`)).toEqual([]);
  });
});
