import type { Command } from 'commander';
import { counted } from '../../../core/values/index.js';
import type { ProblemDto } from '../../../modules/problems/index.js';
import { clusterName, runtimeOption } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Cli } from '../cli.js';
import { ageOf } from '../output/times.js';

type ShownProblem = Pick<ProblemDto, 'kind' | 'namespace' | 'name' | 'since' | 'message' | 'next_step'> &
  Partial<Pick<ProblemDto, 'cluster'>>;

export function addProblemsCommand(program: Command): void {
  program
    .command('problems')
    .description('List what does not work in the running clusters, and what to do')
    .argument('[cluster]', 'Name of a cluster', clusterName)
    .addOption(runtimeOption())
    .action(async (name: string | undefined, { runtime }: { runtime?: string }, command: Command) => {
      const cli = new Cli(command);
      const found =
        name === undefined
          ? await cli.dashboard.get('/api/v1/problems')
          : await cli.dashboard.get('/api/v1/clusters/{name}/problems', { name, runtime });
      cli.show(found, () =>
        found.length === 0 ? 'No problems.\n' : `${tableOfProblems(cli, found)}\n${nextSteps(found)}`,
      );
      if (found.length > 0) throw new CliError(`${counted(found.length, 'problem')} found.`);
    });
}

/** A row per problem. */
export function tableOfProblems(cli: Cli, problems: readonly ShownProblem[]): string {
  const hasCluster = problems.some(({ cluster }) => cluster !== undefined);
  return cli.table(
    [...(hasCluster ? ['cluster'] : []), 'namespace', 'object', 'since', 'problem'],
    problems.map(({ cluster = '', namespace, kind, name, since, message }) => [
      ...(hasCluster ? [cluster] : []),
      namespace ?? '-',
      `${kind}/${name}`,
      ageOf(since),
      message,
    ]),
  );
}

function nextSteps(problems: readonly ShownProblem[]): string {
  return problems.map(({ kind, name, next_step }) => `Fix of ${kind}/${name}: ${next_step}\n`).join('');
}
