import type { Command } from 'commander';
import { readConfiguration, readEnvironment, type Configuration } from '../../core/config/index.js';
import { ApiClient } from './client/api-client.js';
import { findServer, type ServerOptions } from './client/server.js';
import { plainText } from '../../core/logging/redaction.js';
import { widthOf } from './output/progress.js';
import { formatTable } from './output/table.js';

/** The options that every command has. */
export interface GlobalOptions extends ServerOptions {
  output: 'json' | 'table';
}

/** The context of a command: the options, the servers and the terminal. */
export class Cli {
  readonly options: GlobalOptions;
  private read: Configuration | undefined;

  constructor(command: Command) {
    this.options = command.optsWithGlobals();
  }

  /** @throws ConfigurationError */
  get configuration(): Configuration {
    return (this.read ??= readConfiguration(readEnvironment()));
  }

  /** @throws CliError if it does not run. */
  get dashboard(): ApiClient {
    return new ApiClient(findServer(this.configuration, 'dashboard', this.options));
  }

  /** @throws CliError if it does not run. */
  get logBoard(): ApiClient {
    return new ApiClient(findServer(this.configuration, 'log-board', this.options));
  }

  get isJson(): boolean {
    return this.options.output === 'json';
  }

  /** Prints a result: the value with `--output json`, otherwise the text. */
  show(value: unknown, text: () => string): void {
    this.print(this.isJson ? `${JSON.stringify(value, null, 2)}\n` : text());
  }

  /** Prints a list: its items with `--output json`, otherwise a row for each. */
  showList<TItem>(
    items: readonly TItem[],
    columns: Readonly<Record<string, (item: TItem) => string>>,
    none: string,
  ): void {
    const cells = Object.values(columns);
    this.show(items, () =>
      items.length === 0
        ? `${none}\n`
        : this.table(
            Object.keys(columns),
            items.map((item) => cells.map((cell) => cell(item))),
          ),
    );
  }

  /** A table that fits the terminal. Elsewhere it is not cut, since programs may read it. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    return formatTable(head, rows, process.stdout.isTTY ? widthOf(process.stdout) : undefined);
  }

  /** Prints a result. On a terminal, it cannot contain escape sequences. */
  print(text: string): void {
    process.stdout.write(process.stdout.isTTY ? plainText(text) : text);
  }

  /** Prints a message that is not the result. */
  tell(text: string): void {
    process.stderr.write(`${plainText(text)}\n`);
  }
}
