import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

interface Service {
  image: string;
  build: string;
  restart: string;
  init: boolean;
  read_only: boolean;
  environment: Record<string, string>;
  ports: string[];
  group_add: string[];
  volumes: string[];
  secrets: string[];
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
}

interface ComposeFile {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  secrets: Record<string, { file: string }>;
}

/** Replaces `${NAME:-default}` and `${NAME:?message}` as compose does. */
function interpolate(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\{(\w+):([-?])([^}]*)\}/g,
    (_all, name: string, operator: string, rest: string): string => {
      const value = environment[name] ?? '';
      if (value !== '') return value;
      if (operator === '-') return rest;
      throw new Error(`${name} is not set: ${rest}`);
    },
  );
}

/**
 * The arguments of `docker run` for the only service of a compose file, since compose is not installed everywhere. It
 * knows the fields of `compose.yaml`, and another one is an error.
 * @param project prefix of the names of volumes, as in compose.
 */
export function runArguments(
  file: string,
  environment: Readonly<Record<string, string>>,
  { project, image }: { project: string; image: string },
): string[] {
  const { services, volumes, secrets, ...others } = parse(
    interpolate(readFileSync(file, 'utf8'), environment),
  ) as ComposeFile;
  const [service, ...more] = Object.values(services);
  if (!service || more.length + Object.keys(others).length > 0) throw new Error(`${file} has other fields`);
  const fields: { [Field in keyof Service]: (value: Service[Field]) => string[] } = {
    image: () => [],
    build: () => [],
    restart: (policy) => [`--restart=${policy}`],
    init: (wanted) => [`--init=${String(wanted)}`],
    read_only: (wanted) => [`--read-only=${String(wanted)}`],
    environment: (values) => Object.entries(values).map(([name, value]) => `--env=${name}=${value}`),
    ports: (values) => values.map((port) => `--publish=${port}`),
    group_add: (values) => values.map((group) => `--group-add=${group}`),
    volumes: (values) =>
      values.map((volume) => {
        const [source = ''] = volume.split(':');
        return `--volume=${source in volumes ? `${project}_` : ''}${volume}`;
      }),
    secrets: (names) => names.map((name) => `--volume=${secrets[name]?.file ?? ''}:/run/secrets/${name}:ro`),
    tmpfs: (values) => values.map((path) => `--tmpfs=${path}`),
    cap_drop: (values) => values.map((name) => `--cap-drop=${name}`),
    security_opt: (values) => values.map((option) => `--security-opt=${option}`),
  };
  const flags = Object.entries(service).flatMap(([name, value]) => {
    if (!Object.hasOwn(fields, name)) throw new Error(`${file} has the unknown field ${name}`);
    return (fields[name as keyof Service] as (given: unknown) => string[])(value);
  });
  return [...flags, image];
}
