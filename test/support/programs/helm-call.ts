import { readFile } from 'node:fs/promises';

/** The supported commands with their flags; `=` marks flags with a value. */
const COMMANDS: Record<string, readonly string[]> = {
  version: ['short'],
  list: ['all-namespaces', 'all', 'max=', 'time-format=', 'output=', 'kubeconfig='],
  history: ['max=', 'output=', 'namespace=', 'kubeconfig='],
  status: ['revision=', 'output=', 'namespace=', 'kubeconfig='],
  'get values': ['all', 'revision=', 'output=', 'namespace=', 'kubeconfig='],
  template: [
    ...['namespace=', 'no-hooks', 'skip-tests', 'is-upgrade', 'dry-run=', 'kubeconfig=', 'values='],
    ...['kube-version=', 'api-versions='],
  ],
  install: ['create-namespace', 'hide-notes', 'namespace=', 'wait', 'timeout=', 'kubeconfig=', 'values='],
  upgrade: ['reset-values', 'hide-notes', 'namespace=', 'wait', 'timeout=', 'kubeconfig=', 'values='],
  rollback: ['namespace=', 'wait', 'timeout=', 'kubeconfig='],
  'repo update': ['repository-config=', 'repository-cache='],
  pull: ['destination=', 'version=', 'repository-config=', 'repository-cache='],
  uninstall: ['ignore-not-found', 'no-hooks', 'namespace=', 'wait', 'timeout=', 'kubeconfig='],
};
/** Helm 4 lists all states and does not have these flags. */
const ONLY_OF_3 = ['list --all'];

/** Ends helm with a message and exit status 1. */
export class HelmError extends Error {}

/** A call of helm, parsed strictly. */
export class HelmCall {
  private constructor(
    readonly command: string,
    private readonly flags: ReadonlyMap<string, string>,
    readonly positional: readonly string[],
  ) {}

  /** @throws HelmError for a flag that this version does not have; Error for an unexpected call. */
  static read(args: readonly string[], major: 3 | 4): HelmCall {
    const end = args.includes('--') ? args.indexOf('--') : args.length;
    const words = args.slice(0, end).filter((argument) => !argument.startsWith('--'));
    const command = words.join(' ');
    const known = COMMANDS[command];
    if (!known) throw new Error(`helm has no script for "${command}"`);
    const flags = new Map<string, string>();
    for (const argument of args.slice(0, end).filter((one) => one.startsWith('--'))) {
      const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
      if (major === 4 && ONLY_OF_3.includes(`${command} --${name}`)) {
        throw new HelmError(`unknown flag: --${name}`);
      }
      if (!known.includes(value === undefined ? name : `${name}=`)) {
        throw new Error(`helm ${command} has no script for ${argument}`);
      }
      flags.set(name, value ?? '');
    }
    return new HelmCall(command, flags, args.slice(end + 1));
  }

  has(flag: string): boolean {
    return this.flags.has(flag);
  }

  flag(name: string): string {
    const value = this.flags.get(name);
    if (value === undefined) throw new Error(`helm ${this.command} is not called with --${name}`);
    return value;
  }

  /** The content of the file of a flag. */
  file(name: string): Promise<string> {
    return readFile(this.flag(name), 'utf8');
  }

  /** `--timeout=600s` in milliseconds. */
  get timeoutMs(): number {
    const seconds = /^(\d+)s$/.exec(this.flag('timeout'))?.[1];
    if (seconds === undefined) throw new Error('--timeout must be in seconds');
    return Number(seconds) * 1000;
  }
}
