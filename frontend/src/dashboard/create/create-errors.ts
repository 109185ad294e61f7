import type { FieldTree, ReadonlyFieldTree, ValidationError } from '@angular/forms/signals';
import type { ApiProblem, PlacedProblem } from '../../shared/api/api-problem';
import { fieldAt, messageOf } from '../../shared/ui/field/submission';
import type { CreateModel } from './create-model';

export interface CreateError extends ValidationError {
  kind: 'api';
  message: string;
  /** Line in the config or in the values of an addon. */
  line?: number | null;
}

/** Fields that exist beside a kind config. */
const BESIDE_CONFIG = /^(name|runtime|node_image_tag|keep_on_failure|addons)\b/;

/** A problem of `POST /clusters/check` or of a rejected creation, as an error of the form. */
export function errorOf(
  form: FieldTree<CreateModel>,
  { field, problem, hint, line }: PlacedProblem,
  { mode }: CreateModel,
): CreateError & { fieldTree: FieldTree<unknown> } {
  const inConfig = mode === 'config' && !BESIDE_CONFIG.test(field);
  const clause = inConfig && field !== 'config' ? `${field} ${problem}`.trim() : problem;
  const sentence = messageOf({ problem: clause, hint });
  return {
    kind: 'api',
    message: line ? $localize`Line ${line}:line:: ${sentence}:problem:` : sentence,
    fieldTree: (inConfig ? form.config : fieldAt(form, field)) ?? form,
    ...(line ? { line } : {}),
  };
}

export function problemsOf({ code, details, fields, message }: ApiProblem): PlacedProblem[] {
  if (code === 'config_refused' && Array.isArray(details)) {
    return (details as (PlacedProblem & { path?: string })[]).map(({ path, ...problem }) => ({
      ...problem,
      field: path ?? '',
    }));
  }
  if (fields.length > 0) return fields;
  return [{ field: FIELDS[code] ?? '', problem: message }];
}

/** Fields of errors that name none. */
const FIELDS: Readonly<Partial<Record<ApiProblem['code'], string>>> = {
  cluster_exists: 'name',
  cluster_busy: 'name',
  runtime_unavailable: 'runtime',
  addon_not_found: 'addons',
};

const LABELS: Readonly<Record<string, string>> = {
  name: $localize`Name`,
  runtime: $localize`Engine`,
  workers: $localize`Workers`,
  node_image_tag: $localize`Node image tag`,
  control_planes: $localize`Control planes`,
  port_mappings: $localize`Port mapping`,
  mounts: $localize`Host folder`,
  addons: $localize`Addons`,
  config: $localize`Config`,
  listen_address: $localize`address`,
  host_port: $localize`host port`,
  container_port: $localize`node port`,
  host_path: $localize`host path`,
  container_path: $localize`node path`,
};

/** The label of a field, such as `Port mapping 1, host port`. */
export function labelOf(field: ReadonlyFieldTree<unknown>, { addons }: CreateModel): string {
  const [top = '', index, part] = field().name().split('.').slice(1);
  const label = LABELS[top] ?? 'Slipway';
  if (index === undefined) return label;
  const row = top === 'addons' ? addons[Number(index)]?.addon : undefined;
  return [row ?? `${label} ${Number(index) + 1}`, LABELS[part ?? '']].filter(Boolean).join(', ');
}
