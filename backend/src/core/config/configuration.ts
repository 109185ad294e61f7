import { shortened } from '../values/index.js';
import { fileVariableOf, readFromFile, secretFileExample } from './secret-files.js';
import type { VariableContext } from './variable.js';
import { variables, type Variables } from './variables.js';

/** The value of every variable, by its property name in `variables`. */
export type ConfigurationValues = {
  readonly [TKey in keyof Variables]: ReturnType<Variables[TKey]['parse']>;
};

export interface ConfigurationProblem {
  variable: string;
  problem: string;
  example: string;
}

/** Prevents the start. Its message has the name, problem and an example of each variable, and never a secret. */
export class ConfigurationError extends Error {
  constructor(readonly problems: ConfigurationProblem[]) {
    super(
      ['The configuration is invalid:']
        .concat(
          problems.map(
            ({ variable, problem, example }) => `  ${variable} ${problem}. Example: ${variable}=${example}`,
          ),
        )
        .join('\n'),
    );
    this.name = 'ConfigurationError';
  }
}

/**
 * The configuration, read once at start. A class, so that it is its own injection token.
 * `environment` has what child processes may need (PATH, HOME, proxies); only `drivers/process` passes parts of it on.
 */
export class Configuration {
  constructor(
    readonly values: ConfigurationValues,
    readonly environment: Readonly<Record<string, string | undefined>>,
    readonly platform: NodeJS.Platform,
  ) {}
}

/** @throws ConfigurationError with all problems. */
export function readConfiguration(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Configuration {
  const context: VariableContext = { platform, environment };
  const problems: ConfigurationProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, definition] of Object.entries(variables)) {
    const fileVariable = fileVariableOf(definition);
    let written = environment[definition.name] ?? '';
    try {
      if (fileVariable !== undefined) {
        written = readFromFile(fileVariable, definition.name, environment) ?? written;
      }
    } catch (error) {
      const example = secretFileExample(definition.name);
      problems.push({ variable: fileVariable ?? '', problem: (error as Error).message, example });
      continue;
    }
    const trimmed = written.trim();
    // An empty value means "not set", as in `APP_PORT=` of a copied .env.example.
    const given = definition.verbatim ? written : trimmed;
    const text = trimmed === '' ? definition.fallback : given;
    try {
      values[key] = definition.parse(text, context);
    } catch (error) {
      const { secret = false, besideSecrets = false, mayHaveSecret = false } = definition;
      const shown = secret || besideSecrets || mayHaveSecret ? '' : ` (it is "${shortened(text, 80)}")`;
      problems.push({
        variable: definition.name,
        problem: `${(error as Error).message}${shown}`,
        example: definition.example,
      });
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return new Configuration(values as ConfigurationValues, environment, platform);
}
