import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { Option, type Command } from 'commander';
import { pathFailure } from '../../../core/errors/storage-failure.js';
import { NotReadableError, readWholeFile } from '../../../core/storage/whole-file.js';
import type { ClusterColor, ClusterDto } from '../../../modules/clusters/index.js';
import { clusterName } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import type { ApiClient, Response } from '../client/api-client.js';
import { ask, canAsk } from '../output/prompt.js';
import { visibleText } from '../output/visible-text.js';

const EXTERNAL = '/api/v1/external-clusters';
const MAX_KUBECONFIG_BYTES = 400_000;
/** As the API has them. Not its own list, which would load the server. */
const COLORS = [
  'gray',
  'blue',
  'green',
  'yellow',
  'orange',
  'red',
  'purple',
] as const satisfies readonly ClusterColor[];

interface Consent {
  allowPlugin?: true;
}

interface Confirmed {
  yes?: true;
}

interface Added extends Consent {
  file?: string;
  kubeconfig?: string;
  name?: string;
  color?: ClusterColor;
  note?: string;
}

type Context = Response<`GET ${typeof EXTERNAL}/contexts`>['contexts'][number];
type Plugin = NonNullable<Response<`GET ${typeof EXTERNAL}/{name}`>['plugin']>;

export function addClustersCommand(program: Command): void {
  const group = program
    .command('clusters')
    .description('Manage external clusters: those of your kubeconfigs');
  group
    .command('contexts')
    .description('List the contexts of your kubeconfigs, and what prevents adding one')
    .action(listContexts);
  group
    .command('add')
    .description('Add the cluster of a context. Changes in it are off until you allow them')
    .argument('[context]', 'Name of the context')
    .option('--file <file>', 'Kubeconfig that has the context, if several have one of this name')
    .option(
      '--kubeconfig <file>',
      'Store a copy of this kubeconfig, encrypted; - reads it from standard input',
    )
    .option('--name <name>', 'Name of the cluster (default: from the context)', clusterName)
    .addOption(new Option('--color <color>', 'Color of the cluster (default: gray)').choices(COLORS))
    .option('--note <text>', 'Note about the cluster')
    .addOption(pluginOption())
    .action(add);
  ofCluster(group, 'remove', 'Remove a cluster from Slipway. The cluster and the kubeconfig stay')
    .option('--logs', 'Also delete its stored log lines. Otherwise they stay for their retention')
    .option('-y, --yes', 'Do not ask')
    .action(remove);
  ofCluster(group, 'allow-changes', 'Allow changes in a cluster')
    .option('-y, --yes', 'Do not ask')
    .action(allowChanges);
  ofCluster(group, 'turn-changes-off', 'Turn changes in a cluster off').action(turnChangesOff);
  ofCluster(group, 'namespaces', 'Show the namespaces of a user who may not list them, or set them')
    .argument('[namespaces]', 'All but that of the context, separated by commas; empty for none')
    .action(setNamespaces);
  ofCluster(group, 'check', 'Connect to a cluster now, and fail if that is not possible')
    .addOption(pluginOption())
    .action(check);
}

function ofCluster(group: Command, name: string, meaning: string): Command {
  return group.command(name).description(meaning).argument('<external>', 'Name of the cluster', clusterName);
}

function pluginOption(): Option {
  return new Option('--allow-plugin', 'Allow the program with which the context signs in, without asking');
}

async function listContexts(_options: object, command: Command): Promise<void> {
  const cli = new Cli(command);
  const found = await cli.dashboard.get(`${EXTERNAL}/contexts`);
  const { files, problems, contexts } = found;
  for (const { file, problem } of problems) {
    cli.tell(`Warning: Could not read ${file}: ${problem.replace(/\.$/, '')}.`);
  }
  cli.show(found, () => {
    if (contexts.length === 0) return `No contexts in ${files.join(', ')}.\n`;
    return cli.table(
      ['context', 'server', 'user', 'kind', 'state', 'file'],
      contexts.map((context) => [
        context.context,
        context.server ?? '-',
        context.user,
        context.distribution ?? '-',
        stateOf(context),
        context.file,
      ]),
    );
  });
}

function stateOf({ added_as, own_cluster, problem, plugin, shadowed }: Context): string {
  if (added_as !== null) return `added as ${added_as}`;
  if (own_cluster !== null) return `kind cluster ${own_cluster}`;
  if (problem !== null) return problem;
  return [
    'can be added',
    ...(shadowed ? ['with --file'] : []),
    ...(plugin === null ? [] : [`signs in with ${plugin}`]),
  ].join(', ');
}

async function add(
  context: string | undefined,
  { file, kubeconfig, allowPlugin, ...fields }: Added,
  command: Command,
): Promise<void> {
  const cli = new Cli(command);
  if (context === undefined && kubeconfig === undefined) {
    throw new CliError(
      'Name a context, or pass --kubeconfig FILE. List the contexts with: slipway clusters contexts',
      EXIT.usage,
    );
  }
  if (file !== undefined && kubeconfig !== undefined) {
    throw new CliError('--file cannot be combined with --kubeconfig.', EXIT.usage);
  }
  const pasted = kubeconfig === undefined ? {} : { kubeconfig: await readKubeconfig(kubeconfig) };
  const added = await cli.dashboard.send(
    `POST ${EXTERNAL}`,
    {},
    { context, file: file && resolve(file), ...pasted, ...fields },
  );
  if (added.external?.needs_consent) cli.tell(`Added ${added.name}, ${whereOf(added)}.`);
  const cluster = await allowPluginOf(cli, added, allowPlugin);
  warn(cli, cluster);
  cli.show(
    cluster,
    () => `Added ${cluster.name}, ${whereOf(cluster)}. ${connectionOf(cluster)} Changes are off.\n`,
  );
}

async function remove(
  name: string,
  { logs, yes }: Confirmed & { logs?: true },
  command: Command,
): Promise<void> {
  const cli = new Cli(command);
  const cluster = await externalCluster(cli.dashboard, name);
  const lines = logs ? 'Its stored log lines are deleted.' : 'Its stored log lines stay for their retention.';
  const question = `Remove ${name}, ${whereOf(cluster)}, from Slipway? The cluster and the kubeconfig stay. ${lines}`;
  await confirm(question, yes, 'Nothing was removed.');
  const removed = await cli.dashboard.send(`DELETE ${EXTERNAL}/{name}`, { name, logs });
  cli.show(removed, () => `Removed ${name} from Slipway. The cluster and the kubeconfig stay.\n`);
}

async function allowChanges(name: string, { yes }: Confirmed, command: Command): Promise<void> {
  const cli = new Cli(command);
  const cluster = await externalCluster(cli.dashboard, name);
  warn(cli, cluster);
  await confirm(`Allow changes in ${name}, ${whereOf(cluster)}?`, yes, 'Nothing was allowed.');
  const { identity } = cluster.external;
  const after = await cli.dashboard.send(
    `PATCH ${EXTERNAL}/{name}`,
    { name },
    { changes_allowed: true, identity },
  );
  cli.show(after, () => `Changes in ${name}, ${whereOf(after)}, are allowed.\n`);
}

async function turnChangesOff(name: string, _options: object, command: Command): Promise<void> {
  const cli = new Cli(command);
  const after = await cli.dashboard.send(`PATCH ${EXTERNAL}/{name}`, { name }, { changes_allowed: false });
  cli.show(after, () => `Changes in ${name} are off.\n`);
}

async function setNamespaces(
  name: string,
  typed: string | undefined,
  _options: object,
  command: Command,
): Promise<void> {
  const cli = new Cli(command);
  const namespaces = typed?.split(/[\s,]+/).filter((one) => one !== '');
  const cluster = namespaces
    ? await cli.dashboard.send(`PATCH ${EXTERNAL}/{name}`, { name }, { namespaces })
    : await externalCluster(cli.dashboard, name);
  const { namespace, namespaces: known = [] } = cluster.external ?? {};
  cli.show(cluster, () => [`${namespace ?? 'default'} (context)`, ...known, ''].join('\n'));
}

async function check(name: string, { allowPlugin }: Consent, command: Command): Promise<void> {
  const cli = new Cli(command);
  const asked = await cli.dashboard.send(`POST ${EXTERNAL}/{name}/check`, { name });
  const cluster = await allowPluginOf(cli, asked, allowPlugin);
  warn(cli, cluster);
  const isConnected = cluster.state === 'running';
  const changes = cluster.external?.changes_allowed ? 'allowed' : 'off';
  const text = `${name}, ${whereOf(cluster)}. ${connectionOf(cluster)}`;
  if (isConnected || cli.isJson) cli.show(cluster, () => `${text} Changes are ${changes}.\n`);
  if (!isConnected) throw new CliError(text);
}

/** Shows the program with which a cluster signs in, and allows exactly this if the user agrees. @throws CliError if not */
async function allowPluginOf(cli: Cli, cluster: ClusterDto, isAllowed?: true): Promise<ClusterDto> {
  const { name, external } = cluster;
  if (!external?.needs_consent) return cluster;
  const { plugin } = await cli.dashboard.get(`${EXTERNAL}/{name}`, { name });
  // It was not found. The state of the cluster says why.
  if (!plugin) return cluster;
  cli.tell(describePlugin(name, plugin));
  if (!isAllowed) {
    const how = `Allow it with: slipway clusters check ${name} --allow-plugin`;
    if (!canAsk()) throw new CliError(`There is no terminal to confirm on. ${how}`, EXIT.usage);
    if (!(await ask('Allow Slipway to run exactly this?'))) {
      throw new CliError(`Slipway does not run it, and does not connect to ${name}. ${how}`, EXIT.canceled);
    }
  }
  return await cli.dashboard.send(
    `POST ${EXTERNAL}/{name}/consent`,
    { name },
    { fingerprint: plugin.fingerprint },
  );
}

function describePlugin(name: string, { command, path, args, env }: Plugin): string {
  return [
    `To sign in to ${name}, the kubeconfig runs a program with your rights:`,
    `  Command:    ${visibleText(command)}`,
    `  Program:    ${visibleText(path)}`,
    `  Arguments:  ${args.map(visibleText).join(' ') || 'none'}`,
    `  Variables:  ${env.map((variable) => visibleText(`${variable.name}=${variable.value}`)).join(' ') || 'none'}`,
    'It also gets PATH, HOME, proxies and the settings of cloud providers from the environment of Slipway.',
  ].join('\n');
}

/** @throws CliError if the user does not agree, or cannot be asked. */
async function confirm(question: string, yes: true | undefined, declined: string): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new CliError('There is no terminal to confirm on. Pass --yes.', EXIT.usage);
  if (!(await ask(question))) throw new CliError(declined, EXIT.canceled);
}

type External = ClusterDto & { external: NonNullable<ClusterDto['external']> };

async function externalCluster(api: ApiClient, name: string): Promise<External> {
  const cluster = await api.get('/api/v1/clusters/{name}', { name, runtime: 'kubeconfig' });
  const { external } = cluster;
  if (!external) throw new CliError(`${name} is not an external cluster.`, EXIT.notFound);
  return { ...cluster, external };
}

/** Server, user and source. Names of a kubeconfig can have any characters. */
function whereOf({ external }: ClusterDto): string {
  if (!external) return 'a cluster of kind';
  const { server, user, context, file } = external;
  const source = file === null ? 'a pasted kubeconfig' : visibleText(file);
  const from = `context ${visibleText(context)} of ${source}`;
  return server === null ? from : `${server} as ${visibleText(user ?? '')}, ${from}`;
}

function connectionOf({ state, state_reason, kubernetes_version }: ClusterDto): string {
  if (state === 'running') return `Connected: Kubernetes ${kubernetes_version ?? 'of an unknown version'}.`;
  return `Not connected: ${state_reason ?? state}.`;
}

function warn(cli: Cli, { external }: ClusterDto): void {
  if (external?.notice) cli.tell(`Warning: ${external.notice}`);
  if (external?.insecure) cli.tell('Warning: The certificate of the server is not verified.');
}

async function readKubeconfig(file: string): Promise<string> {
  if (file === '-') return await readText(process.stdin);
  let content: string | undefined;
  try {
    content = await readWholeFile(file, MAX_KUBECONFIG_BYTES);
  } catch (error) {
    const reason = error instanceof NotReadableError ? error.message : pathFailure(error);
    throw new CliError(`Could not read ${file}: ${reason}.`, EXIT.usage);
  }
  if (content === undefined) throw new CliError(`The kubeconfig ${file} does not exist.`, EXIT.usage);
  return content;
}
