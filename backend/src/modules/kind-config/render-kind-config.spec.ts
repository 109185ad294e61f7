import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { countRoles, type KindConfig } from './kind-config.js';
import { parseKindConfig } from './parse-kind-config.js';
import {
  cloneKindConfig,
  completeKindConfig,
  renderKindConfig,
  type ClusterOptions,
} from './render-kind-config.js';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const REPOSITORY = 'docker.io/kindest/node';

describe('renderKindConfig', () => {
  const options: ClusterOptions = {
    name: 'made',
    controlPlanes: 1,
    workers: 2,
    image: `${REPOSITORY}:v1.34.4`,
    portMappings: [],
    mounts: [],
  };

  it('writes a valid config without optional fields', () => {
    const { text, config } = renderKindConfig(options);
    expect(parse(text)).toEqual(config);
    expect(parseKindConfig(text).problems).toEqual([]);
    expect(countRoles(config)).toEqual({ controlPlanes: 1, workers: 2 });
    expect(text).not.toMatch(/extra|&|\*/);
  });

  it.each(['/a: b', '/"quoted"', "/it's", '/- dash', '/{a}', '/#no', '/ünï', '/*x', '/a\\n'])(
    'writes the host path %s unchanged',
    (hostPath) => {
      const mounts = [{ hostPath, containerPath: '/b', readOnly: false }];
      const { text } = renderKindConfig({ ...options, mounts });
      const written = parse(text) as KindConfig;
      expect(written.nodes?.map(({ extraMounts }) => extraMounts?.[0]?.hostPath)).toEqual([
        hostPath,
        hostPath,
        hostPath,
      ]);
    },
  );
});

describe('completeKindConfig', () => {
  it('adds the name and missing images, and keeps comments and order', () => {
    const text = `# on top\n${HEAD}networking: { disableDefaultCNI: true } # why\nnodes:\n- role: worker\n  image: own:v1\n- role: control-plane\n`;
    const { parsed } = parseKindConfig(text);
    if (!parsed) throw new Error('not parsed');
    const completed = completeKindConfig(parsed, 'given', 'kindest/node:v1');
    expect(completed.text).toContain('# on top');
    expect(completed.text).toContain('# why');
    expect(completed.config).toMatchObject({
      name: 'given',
      nodes: [
        { role: 'worker', image: 'own:v1' },
        { role: 'control-plane', image: 'kindest/node:v1' },
      ],
    });
    expect(parse(completed.text)).toEqual(completed.config);
  });

  const completed = (text: string): string => {
    const { parsed } = parseKindConfig(text);
    if (!parsed) throw new Error('not parsed');
    return completeKindConfig(parsed, 'dev', 'own:v1').text;
  };

  it('keeps every other byte', () => {
    const top = '# top\n---\nkind:   Cluster   # a cluster\n\napiVersion: "kind.x-k8s.io/v1alpha4"';
    const nodes = [
      'nodes:   # three',
      '    -   role:    worker      # aligned',
      '        extraMounts: [ {hostPath: /a,containerPath:   /b} ]',
      '    - {role: control-plane,labels: {a: 007}}',
      '    - &c',
      "      image: ''",
      '    - <<: *c',
    ];
    const ending = ['kubeadmConfigPatches:', '- |', '   a:   b', '', '# end', '---', 'kind:   Pod'];
    expect(completed([top, ...nodes, ...ending].join('\n'))).toBe(
      [
        top,
        'name: dev',
        ...nodes.slice(0, 2),
        '        image: own:v1',
        nodes[2],
        '    - {image: own:v1, role: control-plane,labels: {a: 007}}',
        nodes[4],
        '      image: own:v1',
        '    - image: own:v1',
        '      <<: *c',
        ...ending,
      ].join('\n'),
    );
  });

  it.each([
    ['name:\nnodes:\n# none\n', 'name: dev\nnodes: [ { role: control-plane, image: own:v1 } ]\n# none\n'],
    [
      'nodes: [{image: a}, {image }]\nname: # none\n',
      'nodes: [{image: a}, {image: own:v1 }]\nname: dev # none\n',
    ],
    ['name: dev\r\nnodes:\r\n- {}\r\n', 'name: dev\r\nnodes:\r\n- {image: own:v1}\r\n'],
    ['', 'name: dev\nnodes:\n- role: control-plane\n  image: own:v1\n'],
    [
      'name: !!str dev\nnodes: [{image: &i !!str }, {image: *i}]',
      'name: !!str dev\nnodes: [{image: &i own:v1}, {image: own:v1}]',
    ],
  ])('completes %j in place', (text, result) => {
    expect(completed(HEAD + text)).toBe(HEAD + result);
  });

  it('keeps JSON', () => {
    const text = completed(
      '{"kind": "Cluster", "apiVersion": "kind.x-k8s.io/v1alpha4", "nodes": [{}, {"role": "worker"}]}',
    );
    expect(JSON.parse(text)).toMatchObject({
      name: 'dev',
      nodes: [{ image: 'own:v1' }, { image: 'own:v1' }],
    });
  });

  it.each(['', 'nodes: []'])('adds a control plane to a config with "%s"', (nodes) => {
    const { parsed } = parseKindConfig(HEAD + nodes);
    if (!parsed) throw new Error('not parsed');
    const { config } = completeKindConfig(parsed, 'bare', 'kindest/node:v1');
    expect(config.nodes).toEqual([{ role: 'control-plane', image: 'kindest/node:v1' }]);
  });
});

describe('cloneKindConfig', () => {
  it('changes the name and ports in place, and not what repeats them', () => {
    const text = `${HEAD}name: &name "old" # name\nnetworking: {apiServerPort:  6443}\nnodes:\n- labels: {of: *name}\n  extraPortMappings:\n  - {hostPort: &p 80, containerPort: *p}\n`;
    const moves = [
      { where: 'networking.apiServerPort', to: 6444 },
      { where: 'nodes[0].extraPortMappings[0].hostPort', to: 81 },
    ];
    expect(cloneKindConfig(text, 'copy', moves)).toBe(
      text
        .replace('"old"', '"copy"')
        .replace('6443', '6444')
        .replace('*name', 'old')
        .replace('&p 80', '&p 81')
        .replace('*p', '80'),
    );
  });
});
