/** The exit statuses of the command line, which docs/cli.md lists. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  notFound: 4,
  notAllowed: 5,
  canceled: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for the user: what happened, why, what to do. */
export class CliError extends Error {
  constructor(
    message: string,
    readonly status: ExitStatus = EXIT.failed,
  ) {
    super(message);
    this.name = 'CliError';
  }
}
