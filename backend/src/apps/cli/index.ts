import { Command, CommanderError, Option } from 'commander';
import { readProject } from '../../core/config/project.js';
import { reasonOf } from '../../core/errors/reason-of.js';
import { plainText } from '../../core/logging/redaction.js';
import { CliError, EXIT } from './cli-error.js';
import { addBackupCommands } from './commands/backup.js';
import { addClustersCommand } from './commands/clusters.js';
import { addCompletionCommand } from './commands/completion.js';
import { addCreateCommand } from './commands/create.js';
import { addExamples, addHelpCommand } from './commands/help.js';
import { addDiagnoseCommand } from './commands/diagnose.js';
import { addJobsCommand } from './commands/jobs.js';
import { addJournalCommand } from './commands/journal.js';
import { addKubeconfigCommand } from './commands/kubeconfig.js';
import { addLifecycleCommands } from './commands/lifecycle.js';
import { addListCommand } from './commands/list.js';
import { addFixCommand } from './commands/fix.js';
import { addForwardCommand } from './commands/forward.js';
import { addLoadImageCommand } from './commands/load-image.js';
import { addLogsCommand } from './commands/logs.js';
import { addMcpCommand } from './commands/mcp.js';
import { addOpenCommand } from './commands/open.js';
import { addPasswordCommand } from './commands/password.js';
import { addProblemsCommand } from './commands/problems.js';
import { addSearchCommand } from './commands/search.js';
import { addServeCommand } from './commands/serve.js';
import { addServiceCommand } from './commands/service.js';
import { addStatusCommand } from './commands/status.js';
import { addTokenCommand } from './commands/token.js';
import { addVersionCommand } from './commands/version.js';

/** One for each file in `commands`, in the order of the help. */
const COMMANDS = [
  addServeCommand,
  addOpenCommand,
  addStatusCommand,
  addListCommand,
  addProblemsCommand,
  addCreateCommand,
  addLifecycleCommands,
  addClustersCommand,
  addKubeconfigCommand,
  addFixCommand,
  addForwardCommand,
  addLoadImageCommand,
  addLogsCommand,
  addSearchCommand,
  addJobsCommand,
  addJournalCommand,
  addTokenCommand,
  addPasswordCommand,
  addBackupCommands,
  addDiagnoseCommand,
  addMcpCommand,
  addServiceCommand,
  addVersionCommand,
  addCompletionCommand,
];

/** Runs a command, by default `serve`. @returns the exit status. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // A reader such as `head` has seen enough.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) =>
    process.exit(code === 'EPIPE' ? EXIT.ok : EXIT.failed),
  );
  const program = createProgram();
  try {
    await program.parseAsync(args.length === 0 ? ['serve'] : args, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    // Commander has printed its message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    process.stderr.write(`${plainText(reasonOf(error))}\n`);
    return error instanceof CliError ? error.status : EXIT.failed;
  }
}

function createProgram(): Command {
  const program = new Command('slipway')
    .description('Dashboard for every Kubernetes, which creates local clusters with kind on Docker or Podman')
    .version(readProject().version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .addOption(
      new Option('-o, --output <format>', 'Format of the result').choices(['table', 'json']).default('table'),
    )
    .option('--server <url>', 'Address of the dashboard (default: the one that runs here; SLIPWAY_SERVER)')
    .option('--log-board <url>', 'Address of the log board (SLIPWAY_LOG_BOARD)')
    .option('--token <token>', 'Access token. Prefer SLIPWAY_TOKEN: other users can read arguments')
    .option('--insecure', 'Allow plain HTTP to another machine')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(inPlainEnglish(text)) })
    .exitOverride();
  for (const add of COMMANDS) add(program);
  addHelpCommand(program);
  addExamples(program);
  return program;
}

/** Commander says "command-argument value 'x' is invalid for argument 'name'". Options have a clear message. */
function inPlainEnglish(text: string): string {
  return text.replace(
    /^error: command-argument value '(.*)' is invalid for argument '([^']*)'\./s,
    "error: argument <$2> is invalid: '$1'.",
  );
}
