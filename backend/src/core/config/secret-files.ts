import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Variable } from './variable.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names a file with the value of another variable, such as a Docker secret; undefined for variables without one. */
export function fileVariableOf({
  name,
  secret = false,
  mayHaveSecret = false,
}: Pick<Variable<unknown>, 'name' | 'secret' | 'mayHaveSecret'>): string | undefined {
  return secret || mayHaveSecret ? `${name}_FILE` : undefined;
}

/** Where Docker and Podman mount secrets: `/run/secrets/app_pass`. */
export function secretFileExample(name: string): string {
  return `/run/secrets/${name.toLowerCase()}`;
}

/**
 * The text of a variable or of the file that its file variable names, without one final line break.
 * @throws Error whose message completes the sentence "NAME_FILE …" and has nothing of the file.
 */
export function readFromFile(
  fileVariable: string,
  name: string,
  environment: Environment,
): string | undefined {
  const path = environment[fileVariable]?.trim() ?? '';
  if (path === '') return undefined;
  if ((environment[name] ?? '').trim() !== '') throw new Error(`and ${name} are both set; unset one`);
  if (!isAbsolute(path)) throw new Error('must be an absolute path');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(
      `names a file that Slipway cannot read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
      {
        cause: error,
      },
    );
  }
  // An empty secret would make Slipway create one, which is not what the file is for.
  if (text.trim() === '') throw new Error('names an empty file');
  return text.replace(/\r?\n$/, '');
}
