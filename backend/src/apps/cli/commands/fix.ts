import { Option, type Command } from 'commander';
import { NAMESPACE_NAME } from '../../../core/security/grammar.js';
import type { FixCode } from '../../../modules/diagnosis/index.js';
import { addWaitOptions, clusterName, matching, runtimeOption } from '../arguments.js';
import { Cli } from '../cli.js';
import { CliError, EXIT } from '../cli-error.js';
import { finishJob } from '../jobs/wait-for-job.js';
import { OBJECT, objectParams } from '../mcp/tools/kinds.js';
import { lineDiff } from '../output/line-diff.js';
import { ask, canAsk } from '../output/prompt.js';

const TARGET = /^[A-Za-z0-9.-]{1,400}\/[^/%\s]{1,253}$/;
const SETTING = /^[^=]{1,253}=/;

interface Options {
  namespace: string;
  fix?: string;
  container?: string;
  set?: string[];
  dryRun?: true;
  yes?: true;
  runtime?: string;
  wait: boolean;
}

export function addFixCommand(program: Command): void {
  const command = program
    .command('fix')
    .description('Remove a cause of an unhealthy object; without --fix, list the causes and their fixes')
    .argument('<cluster>', 'Name of the cluster', clusterName)
    .argument(
      '<object>',
      'Kind and name, such as deployment/web',
      matching(TARGET, 'a kind and a name, such as deployment/web'),
    )
    .addOption(
      new Option('-n, --namespace <name>', 'Namespace of the object')
        .default('default')
        .argParser(matching(NAMESPACE_NAME, 'the name of a namespace, such as shop')),
    )
    .option('--fix <code>', 'The fix to apply, such as raise_memory_limit')
    .option('--container <name>', 'Container of the cause, if several have the fix')
    .option('--set <parameter=value...>', 'Values of its parameters')
    .option('--dry-run', 'Only show what it changes')
    .option('-y, --yes', 'Do not ask')
    .addOption(runtimeOption());
  addWaitOptions(command).action(fix);
}

async function fix(
  cluster: string,
  target: string,
  { namespace, fix: code, container, set = [], dryRun, yes, runtime, wait }: Options,
  command: Command,
): Promise<void> {
  const cli = new Cli(command);
  const api = cli.dashboard;
  const [kind = '', name = ''] = target.split('/');
  const params = await objectParams(api, { cluster, runtime, kind, name, namespace });
  if (code === undefined) {
    const { healthy, causes } = await api.get(`${OBJECT}/diagnosis`, params);
    const fixes = causes.flatMap((cause) => cause.fixes.map((each) => ({ cause, ...each })));
    cli.show(causes, () => {
      if (causes.length === 0) return `${target} ${healthy ? 'is healthy' : 'has no known cause'}.\n`;
      const rows = fixes.map(({ cause, code: own, changes, parameters }) => [
        own,
        cause.container ?? '',
        changes,
        parameters.map((each) => `${each.name}=${each.default}`).join(' '),
      ]);
      return [
        ...causes.map(({ message, next_step }) => `${message} ${next_step}\n`),
        rows.length === 0 ? '' : `\n${cli.table(['fix', 'container', 'changes', 'parameters'], rows)}`,
      ].join('');
    });
    return;
  }
  const request = {
    // The server knows the fixes.
    fix: code as FixCode,
    container,
    parameters: parametersOf(set),
  };
  if (dryRun || !yes) {
    const preview = await api.send(`POST ${OBJECT}/fix`, params, { ...request, dry_run: true });
    const text = `${lineDiff(preview.before ?? '', preview.after ?? '')}${preview.message}\n`;
    if (dryRun) {
      cli.show(preview, () => text);
      return;
    }
    if (!canAsk()) throw new CliError('There is no terminal to confirm on. Pass --yes.', EXIT.usage);
    cli.tell([text, ...preview.warnings.map((each) => `Warning: ${each}`)].join('\n'));
    if (!(await ask('Apply this change?'))) throw new CliError('Nothing was changed.', EXIT.canceled);
  }
  const result = await api.send(`POST ${OBJECT}/fix`, params, { ...request, dry_run: false });
  for (const warning of result.warnings) cli.tell(`Warning: ${warning}`);
  if (result.job) await finishJob(cli, result.job, { wait });
  else cli.show(result, () => `${result.message}\n`);
}

/** @throws CliError */
function parametersOf(settings: readonly string[]): Record<string, string> {
  const wrong = settings.find((each) => !SETTING.test(each));
  if (wrong !== undefined) throw new CliError(`${wrong} must be a parameter=value.`, EXIT.usage);
  return Object.fromEntries(
    settings.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );
}
