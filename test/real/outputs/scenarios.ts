export type Tool = 'kind' | 'helm3' | 'helm4' | 'docker' | 'podman';

/** A failure of a program. Commands are for `sh`, in a folder that prepare.sh has filled. */
export interface Scenario {
  tool: Tool;
  name: string;
  before?: string;
  run: string;
  after?: string;
  /** Needs the cluster `outputs`, or creates a node. Takes part only in a recording. */
  needs?: 'cluster' | 'minutes';
}

const NODE = '$NODE_IMAGE';
const CREATE = `kind create cluster --retain --kubeconfig=out.kubeconfig --image=${NODE}`;
const PODMAN = 'KIND_EXPERIMENTAL_PROVIDER=podman';

function kind(name: string, run: string, more: Partial<Scenario> = {}): Scenario {
  const [, cluster] = /--name[= ](out-\S+)/.exec(run) ?? [];
  const provider = run.includes(PODMAN) ? `${PODMAN} ` : '';
  const after = `${more.after ?? 'true'}; ${provider}kind delete cluster --name ${cluster ?? 'none'} --kubeconfig=out.kubeconfig`;
  return { tool: 'kind', name, run, ...more, ...(cluster && { after }) };
}

const ENGINES = (['docker', 'podman'] as const).flatMap((engine): Scenario[] => {
  const provider = engine === 'podman' ? `${PODMAN} ` : '';
  const start = `${provider}${CREATE}`;
  return [
    kind(`name of a node taken on ${engine}`, `${start} --name out-taken`, {
      before: `${engine} create --name out-taken-control-plane ${NODE}`,
      after: `${engine} rm -f out-taken-control-plane`,
    }),
    kind(`port taken on ${engine}`, `${start} --name out-port --config=kind-port.yaml`),
    kind(`mount below a file on ${engine}`, `${start} --name out-mount --config=kind-mount.yaml`),
    kind(`mount in /proc on ${engine}`, `${start} --name out-proc --config=kind-propagation.yaml`),
    kind(
      `image that cannot be pulled on ${engine}`,
      `${provider}kind create cluster --kubeconfig=out.kubeconfig --name out-image --image=nope.invalid/kindest/node:v1.34.4`,
    ),
    kind(
      `kubeconfig without a control plane on ${engine}`,
      `${provider}kind get kubeconfig --name out-absent`,
    ),
    kind(
      `invalid image on ${engine}`,
      `${provider}kind create cluster --kubeconfig=out.kubeconfig --name out-image --image=NOT:an:image`,
    ),
    kind(`kubeadm refuses on ${engine}`, `${start} --name out-kubeadm --config=kind-kubeadm.yaml`, {
      needs: 'minutes',
    }),
    kind(
      `image without systemd on ${engine}`,
      `${provider}kind create cluster --retain --kubeconfig=out.kubeconfig --name out-envoy --image=envoyproxy/envoy:v1.36.2`,
      { needs: 'minutes' },
    ),
  ];
});

const KIND: Scenario[] = [
  ...ENGINES,
  ...['field', 'role', 'subnet', 'patch', 'version', 'yaml'].map((config) =>
    kind(
      `config: ${config}`,
      `${CREATE} --name out-config --config=kind-${config}.yaml`,
      config === 'patch' ? { needs: 'minutes' } : {},
    ),
  ),
  ...['protocol', 'listen', 'range', 'planes', 'proxy', 'family', 'propagate'].map((config) =>
    kind(`config: ${config}`, `${CREATE} --name out-config --config=kind-${config}.yaml`),
  ),
  ...['label', 'double', 'gates', 'port-type', 'twice'].map((config) =>
    kind(`config: ${config}`, `${CREATE} --name out-config --config=kind-${config}.yaml`),
  ),
  kind('wait is no duration', `${CREATE} --name out-wait --wait=soon`),
  kind('name that is too long', `${CREATE} --name out-${'long'.repeat(16)}`),
  kind('logs of no cluster', 'kind export logs --name out-absent'),
  kind('kubeconfig of no cluster', 'kind export kubeconfig --name out-absent'),
  kind('image of a load into no cluster', `kind load docker-image ${NODE} --name out-absent`),
  kind('config of standard input is not one', `echo hello | ${CREATE} --name out-config --config=-`),
  kind('permission of an engine', 'DOCKER_HOST=unix:///dev/null kind get clusters'),
  kind('certificates of an engine', 'DOCKER_HOST=tcp://127.0.0.1:1 DOCKER_TLS_VERIFY=1 kind get clusters'),
  kind('config: containerd', `${CREATE} --name out-containerd --config=kind-containerd.yaml`, {
    needs: 'minutes',
  }),
  kind('config: mirrors', `${CREATE} --name out-mirrors --config=kind-mirrors.yaml`, { needs: 'minutes' }),
  kind('config file is absent', `${CREATE} --name out-config --config=absent.yaml`),
  kind('config is a folder', `${CREATE} --name out-config --config=good`),
  kind('name with capitals', `kind create cluster --name Not_A_Name`),
  kind('unknown flag', 'kind create cluster --no-such'),
  kind('unknown command', 'kind no-such'),
  kind('no engine', 'DOCKER_HOST=unix:///absent.sock kind get clusters'),
  kind('no engine at a port', 'DOCKER_HOST=tcp://127.0.0.1:1 kind get clusters'),
  kind('unknown engine', 'PATH=/usr/sbin:$KIND_FOLDER KIND_EXPERIMENTAL_PROVIDER=nerdctl kind get clusters'),
  kind('image is not present', 'kind load docker-image absent:1 --name outputs', { needs: 'cluster' }),
  kind('archive is absent', 'kind load image-archive absent.tar --name outputs', { needs: 'cluster' }),
  kind('archive is not one', 'kind load image-archive garbage.tgz --name outputs', { needs: 'cluster' }),
  kind('cluster exists', 'kind create cluster --name outputs', { needs: 'cluster' }),
  kind('kubeconfig locked', 'kind export kubeconfig --name outputs --kubeconfig=locked', {
    before: 'touch locked.lock',
    after: 'rm locked.lock',
    needs: 'cluster',
  }),
  kind('kubeconfig is a folder', 'kind export kubeconfig --name outputs --kubeconfig=good', {
    needs: 'cluster',
  }),
  kind(
    'kubeconfig in a read-only folder',
    'kind export kubeconfig --name outputs --kubeconfig=/proc/x/config',
    { needs: 'cluster' },
  ),
  kind('load without a cluster', 'kind load image-archive garbage.tgz --name out-absent'),
];

const HELM = (['helm3', 'helm4'] as const).flatMap((tool): Scenario[] => {
  const helm = tool === 'helm4' ? 'helm' : 'helm3';
  const template = (chart: string, more = ''): string => `${helm} template shop ./${chart} ${more}`;
  const nowhere = '--kubeconfig=nowhere.kubeconfig';
  const offline: [name: string, run: string][] = [
    ['dependency is missing', template('dependency')],
    ['nil pointer', template('pointer')],
    ['nil pointer in a nested template', template('include')],
    ['fail', template('fails')],
    ['required value', template('required')],
    ['template is not YAML', template('yaml')],
    ['unknown function', template('function')],
    ['unclosed action', template('unclosed')],
    ['values against the schema', template('schema', '--set port=x')],
    ['Kubernetes is too old', template('kube', '--kube-version=1.34.0')],
    ['library chart', template('library')],
    ['chart without Chart.yaml', template('chartless')],
    ['Chart.yaml is not YAML', template('badchart')],
    ['version is not one', template('version')],
    ['values of the chart are not YAML', template('badvalues')],
    ['values are not YAML', template('good', '--values=bad-values.yaml')],
    ['values are absent', template('good', '--values=absent.yaml')],
    ['chart is absent', template('absent')],
    ['archive is not a chart', template('garbage.tgz')],
    ['release name is invalid', `${helm} template Not_A_Name ./good`],
    ['unknown flag', `${helm} template shop ./good --no-such`],
    ['template is not defined', template('undefined')],
    ['variable is not defined', template('variable')],
    ['function with a number', template('number')],
    ['range over a text', template('range')],
    ['index out of range', template('index')],
    ['JSON in a template', template('json')],
    ['decoded secret that is absent', template('decoded')],
    ['fail with several lines', template('lines')],
    ['tab in a template', template('tab')],
    ['text as a template', template('text')],
    ['schema is not JSON', template('badschema')],
    ['schema is not reachable', template('schemaref')],
    ['chart without a name', template('nameless')],
    ['version of a dependency', template('condition')],
    ['required value of a subchart', template('subchart')],
    ['values are a list', template('good', '--values=list-values.yaml')],
    ['values with a template', template('good', '--values=template-values.yaml')],
    ['values with a tab', template('good', '--values=tab-values.yaml')],
    ['set without a value', template('good', '--set=a')],
    ['set with an open list', template('good', '--set=a={1')],
    ['set with a large index', template('good', '--set=a[99999999]=1')],
    ['set of JSON', template('good', "--set-json='a={'")],
    ['set of an absent file', template('good', '--set-file=a=absent')],
    ['version of Kubernetes', template('good', '--kube-version=new')],
    ['timeout without a unit', `${helm} install shop ./good --timeout=5 ${nowhere}`],
    ['release name is too long', `${helm} template ${'long'.repeat(14)} ./good`],
    ['archive of a page', `${helm} template shop ./page.html`],
    ['protocol of a chart', `${helm} pull ftp://charts.invalid/shop`],
    ['repository is a page', `${helm} pull shop --repo=http://127.0.0.1:18997/page`],
    ['chart on a server that has none', `${helm} pull http://127.0.0.1:18997/absent.tgz`],
    ['chart from a server that is broken', `${helm} pull http://127.0.0.1:18997/broken.tgz`],
    ['chart from a server that denies', `${helm} pull http://127.0.0.1:18997/denied.tgz`],
    ['index on a server that denies', `${helm} pull shop --repo=http://127.0.0.1:18997/denied`],
    ['registry that denies', `${helm} pull oci://127.0.0.1:18997/denied/shop --plain-http`],
    ['registry that has no chart', `${helm} pull oci://127.0.0.1:18997/charts/shop --plain-http`],
    ['cluster is not reachable', `${helm} list ${nowhere}`],
    ['install without a cluster', `${helm} install shop ./good ${nowhere}`],
    ['upgrade without a cluster', `${helm} upgrade shop ./good ${nowhere}`],
    ['kubeconfig is absent', `${helm} list --kubeconfig=absent.kubeconfig`],
    ['repository is not reachable', `${helm} pull shop --repo=http://127.0.0.1:1`],
    ['host of a repository is unknown', `${helm} pull shop --repo=https://charts.invalid`],
    ['registry is not reachable', `${helm} pull oci://127.0.0.1:1/charts/shop`],
  ];
  const release = `--kubeconfig=outputs.kubeconfig --namespace=${tool}`;
  const install = (chart: string, more = ''): string =>
    `${helm} install ${chart} ./${chart} ${release} ${more}`;
  const remove = (chart: string): string => `${helm} uninstall ${chart} ${release} --no-hooks`;
  const kubectl = 'kubectl --kubeconfig=outputs.kubeconfig';
  const online: Omit<Scenario, 'tool'>[] = [
    { name: 'name is in use', before: install('good'), run: install('good'), after: remove('good') },
    { name: 'upgrade of no release', run: `${helm} upgrade absent ./good ${release}` },
    { name: 'rollback of no release', run: `${helm} rollback absent 1 ${release}` },
    {
      name: 'rollback to no revision',
      before: install('good'),
      run: `${helm} rollback good 9 ${release}`,
      after: remove('good'),
    },
    { name: 'uninstall of no release', run: `${helm} uninstall absent ${release}` },
    { name: 'status of no release', run: `${helm} status absent ${release}` },
    {
      name: 'operation in progress',
      before: `${install('good')}; ${kubectl} -n ${tool} label secret sh.helm.release.v1.good.v1 status=pending-upgrade --overwrite; ${kubectl} -n ${tool} get secret sh.helm.release.v1.good.v1 -o jsonpath='{.data.release}' | base64 -d | base64 -d | gunzip | sed 's/"status":"deployed"/"status":"pending-upgrade"/' | gzip | base64 -w0 | base64 -w0 > pending; ${kubectl} -n ${tool} patch secret sh.helm.release.v1.good.v1 --type=merge -p "{\\"data\\":{\\"release\\":\\"$(cat pending)\\"}}"`,
      run: `${helm} upgrade good ./good ${release}`,
      after: remove('good'),
    },
    {
      name: 'hook fails',
      run: install('hook', '--timeout=60s'),
      after: `${remove('hook')}; ${kubectl} -n ${tool} delete job hook-hook`,
    },
    { name: 'not ready in time', run: install('slow', '--wait --timeout=5s'), after: remove('slow') },
    {
      name: 'namespace is absent',
      run: `${helm} install good ./good --kubeconfig=outputs.kubeconfig --namespace=absent`,
    },
    { name: 'object in an absent namespace', run: install('namespace'), after: remove('namespace') },
    {
      name: 'object exists',
      before: `${kubectl} -n ${tool} create configmap foreign`,
      run: install('foreign'),
      after: `${kubectl} -n ${tool} delete configmap foreign; ${remove('foreign')}`,
    },
    { name: 'kind is unknown', run: install('kindless'), after: remove('kindless') },
    { name: 'object is refused', run: install('refused'), after: remove('refused') },
    { name: 'object has an invalid name', run: install('unnamed'), after: remove('unnamed') },
    { name: 'field has a wrong type', run: install('wrongtype'), after: remove('wrongtype') },
    {
      name: 'immutable field',
      before: install('selector'),
      run: `${helm} upgrade selector ./selector ${release} --set a=y`,
      after: remove('selector'),
    },
    {
      name: 'quota',
      before: `${kubectl} create namespace limited; ${kubectl} -n limited create quota q --hard=configmaps=0; sleep 2`,
      run: install('quota'),
      after: `${remove('quota')}; ${kubectl} delete namespace limited`,
    },
    {
      name: 'forbidden',
      before: `${kubectl} -n ${tool} create serviceaccount none; sed "s|user: {}|user: {token: $(${kubectl} -n ${tool} create token none)}|; s|cluster: {server: .*|cluster: {insecure-skip-tls-verify: true, server: $(${kubectl} config view -o jsonpath='{.clusters[0].cluster.server}')}}]|" nowhere.kubeconfig > none.kubeconfig`,
      run: `${helm} list --kubeconfig=none.kubeconfig --namespace=${tool}`,
      after: `${kubectl} -n ${tool} delete serviceaccount none`,
    },
    {
      name: 'admission webhook does not respond',
      before: `printf '{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration","metadata":{"name":"gone"},"webhooks":[{"name":"gone.case.test","admissionReviewVersions":["v1"],"sideEffects":"None","clientConfig":{"service":{"name":"gone","namespace":"default"}},"rules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],"resources":["configmaps"]}]}]}' | ${kubectl} apply -f -; sleep 2`,
      run: install('good'),
      after: `${kubectl} delete validatingwebhookconfiguration gone; ${remove('good')}`,
    },
  ];
  return [
    ...offline.map(([name, run]): Scenario => ({ tool, name, run })),
    ...online.map((scenario): Scenario => ({ tool, needs: 'cluster', ...scenario })),
  ];
});

const CLI = (['docker', 'podman'] as const).flatMap((tool): Scenario[] => {
  const failures: [name: string, run: string, before?: string, after?: string][] = [
    ['image cannot be pulled', 'pull nope.invalid/a:1'],
    ['image is absent', 'run --pull=never absent:1'],
    ['image name is invalid', 'pull NOT:an:image'],
    [
      'name is taken',
      `create --name out-a ${NODE}`,
      `${tool} create --name out-a ${NODE}`,
      `${tool} rm -f out-a`,
    ],
    ['port is taken', `run -d --name out-b -p 127.0.0.1:18999:80 ${NODE}`, undefined, `${tool} rm -f out-b`],
    ['container is absent', 'start absent'],
    [
      'exec in a stopped container',
      'exec out-c true',
      `${tool} create --name out-c ${NODE}`,
      `${tool} rm -f out-c`,
    ],
    ['program is absent', `run --rm --entrypoint=/absent ${NODE}`],
    ['network is absent', `run --rm --network=absent ${NODE}`],
    [
      'volume is in use',
      'volume rm out-v',
      `${tool} create --name out-d -v out-v:/v ${NODE}`,
      `${tool} rm -f out-d; ${tool} volume rm out-v`,
    ],
    ['image is in use', `rmi ${NODE}`, `${tool} create --name out-e ${NODE}`, `${tool} rm -f out-e`],
    ['mount below a file', `run --rm -v /dev/null/x:/x ${NODE}`],
    ['archive is not one', 'load -i garbage.tgz'],
    ['archive is absent', 'load -i absent.tar'],
    ['unknown flag', 'ps --no-such'],
    ['unknown command', 'no-such'],
    ['file is absent', 'cp out-f:/absent .', `${tool} create --name out-f ${NODE}`, `${tool} rm -f out-f`],
    ['memory limit is invalid', `run --rm --memory=1k ${NODE}`],
    ['device is absent', `run --rm --device=/dev/absent ${NODE}`],
    ['user is absent', `run --rm --entrypoint=ls --user=no-user ${NODE}`],
    ['mode of a volume', `run --rm -v /tmp:/x:zz ${NODE}`],
    ['volume name is invalid', `run --rm -v a/b:/x ${NODE}`],
    ['restart policy', `run --rm --restart=often ${NODE}`],
    ['port is no port', `run --rm -p 99999:80 ${NODE}`],
    ['address of a port', `run --rm --entrypoint=true -p 203.0.113.7:18996:80 ${NODE}`],
    ['namespace of an absent container', `run --rm --network=container:absent ${NODE}`],
    ['program is a folder', `run --rm --entrypoint=/etc ${NODE}`],
    ['program may not be run', `run --rm --entrypoint=/etc/hostname ${NODE}`],
    [
      'container that runs',
      'rm out-g',
      `${tool} run -d --name out-g --entrypoint=sleep ${NODE} 60`,
      `${tool} rm -f out-g`,
    ],
    ['volume is absent', 'volume rm absent'],
    ['network exists', 'network create out-n', `${tool} network create out-n`, `${tool} network rm out-n`],
    ['network that is built in', `network rm ${tool === 'docker' ? 'bridge' : 'podman'}`],
    ['tag of an absent image', 'tag absent:1 b:1'],
    ['saved image is absent', 'save absent:1 -o out.tar'],
    ['registry of a login', 'login -u a -p b nope.invalid'],
    ['registry does not respond', 'pull 127.0.0.1:1/a:1'],
    ['registry denies', 'pull 127.0.0.1:18997/denied/a:1'],
    ['registry has no image', 'pull 127.0.0.1:18997/charts/a:1'],
    ['sysctl', `run --rm --entrypoint=true --sysctl=kernel.absent=1 ${NODE}`],
    ['working directory', `run --rm --entrypoint=true -w relative ${NODE}`],
    ['label of a filter', 'ps --filter=absent=1'],
    ['copy into an absent container', 'cp /etc/hosts absent:/x'],
    [
      'exec as an absent user',
      'exec -u no-user out-h true',
      `${tool} run -d --name out-h --entrypoint=sleep ${NODE} 60`,
      `${tool} rm -f out-h`,
    ],
    [
      'exec of an absent program',
      'exec out-i absent',
      `${tool} run -d --name out-i --entrypoint=sleep ${NODE} 60`,
      `${tool} rm -f out-i`,
    ],
  ];
  const absent =
    tool === 'docker' ? 'DOCKER_HOST=unix:///absent.sock docker ps' : 'podman --url=unix:///absent.sock ps';
  return [
    ...failures.map(([name, run, before, after]): Scenario => ({
      tool,
      name,
      run: `${tool} ${run}`,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })),
    { tool, name: 'no engine', run: absent },
  ];
});

const CONTEXTS: Scenario[] = [
  { tool: 'docker', name: 'context is absent', run: 'DOCKER_HOST= docker --context=absent ps' },
  { tool: 'docker', name: 'address is invalid', run: 'DOCKER_HOST=foo docker ps' },
  {
    tool: 'docker',
    name: 'certificates are absent',
    run: 'DOCKER_HOST=tcp://127.0.0.1:1 DOCKER_TLS_VERIFY=1 DOCKER_CERT_PATH=/absent docker ps',
  },
  { tool: 'docker', name: 'socket is a folder', run: 'DOCKER_HOST=unix:///tmp docker ps' },
];

export const SCENARIOS: readonly Scenario[] = [...KIND, ...HELM, ...CLI, ...CONTEXTS];
