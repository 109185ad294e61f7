import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { pathFailure } from '../../../core/errors/storage-failure.js';
import {
  CLUSTER_NAME,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  NODE_IMAGE_TAG,
} from '../../../core/security/grammar.js';
import type { CreateClusterDto } from '../../../modules/clusters/index.js';
import { addWaitOptions, matching, runtimeOption, waitHealthyOption, wholeNumber } from '../arguments.js';
import { CliError, EXIT } from '../cli-error.js';
import { Cli } from '../cli.js';
import { ApiError } from '../client/api-client.js';
import { bestTag } from '../client/node-image.js';
import { finishJob, type WaitOptions } from '../jobs/wait-for-job.js';

/** As the dialog of the dashboard offers. */
const DEFAULT_WORKERS = 1;

interface Options extends WaitOptions {
  workers?: number;
  controlPlanes?: number;
  image?: string;
  runtime?: string;
  config?: string;
  acceptHostAccess?: true;
  acceptCgroupV1?: true;
  keepOnFailure?: true;
}

export function addCreateCommand(program: Command): void {
  const command = program
    .command('create')
    .description('Create a cluster')
    .argument(
      '<name>',
      'Name of the cluster',
      matching(CLUSTER_NAME, 'lowercase letters, digits and hyphens, such as staging'),
    )
    .option('--workers <count>', 'Worker nodes (default: 1, without --config)', wholeNumber(0, MAX_WORKERS))
    .option('--control-planes <count>', 'Control planes (default: 1)', wholeNumber(1, MAX_CONTROL_PLANES))
    .option(
      '--image <image>',
      'Node image or its tag, such as v1.34.4 (default: the best one for kind)',
      tagOf,
    )
    .option('--config <file>', 'kind config in YAML; - reads it from standard input')
    .option('--accept-host-access', 'Accept what the config reaches on this machine')
    .option('--accept-cgroup-v1', 'Accept nodes that are not expected to start on a host with cgroup v1')
    .option('--keep-on-failure', 'Keep the nodes of a failed creation')
    .addOption(runtimeOption());
  addWaitOptions(command).addOption(waitHealthyOption()).action(create);
}

async function create(name: string, options: Options, command: Command): Promise<void> {
  const cli = new Cli(command);
  const { workers, controlPlanes, image, runtime, acceptHostAccess, acceptCgroupV1, keepOnFailure } = options;
  if (options.config !== undefined && (workers ?? controlPlanes) !== undefined) {
    throw new CliError('--config cannot be combined with --workers and --control-planes.', EXIT.usage);
  }
  const shape =
    options.config === undefined
      ? {
          workers: workers ?? DEFAULT_WORKERS,
          control_planes: controlPlanes,
          node_image_tag:
            image ??
            (await bestTag(cli.dashboard, 'Choose a version with --image, such as --image v1.34.4.')),
        }
      : { config: await readConfig(options.config), node_image_tag: image };
  const body: CreateClusterDto = {
    name,
    ...shape,
    runtime,
    accept_host_access: acceptHostAccess,
    accept_cgroup_v1: acceptCgroupV1,
    keep_on_failure: keepOnFailure,
  };
  try {
    await finishJob(cli, await cli.dashboard.send('POST /api/v1/clusters', {}, body), options);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = error.message
      .replace('accept_host_access', '--accept-host-access')
      .replace('send accept_cgroup_v1', 'pass --accept-cgroup-v1');
    throw new CliError(message, error.status);
  }
}

/** The tag of a node image, which may be given with its repository. */
function tagOf(image: string): string {
  const [, tag = image] = /^[^@]*:(v[^:@]*(?:@.*)?)$/.exec(image) ?? [];
  return matching(NODE_IMAGE_TAG, 'a full version, such as v1.34.4 or kindest/node:v1.34.4')(tag);
}

async function readConfig(file: string): Promise<string> {
  try {
    return file === '-' ? await readText(process.stdin) : readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`Could not read the config ${file}: ${pathFailure(error)}.`, EXIT.usage);
  }
}
