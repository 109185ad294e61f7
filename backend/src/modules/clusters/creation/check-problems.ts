import type { DomainError } from '../../../core/errors/index.js';
import type { CheckProblemDto } from '../inventory/cluster.dto.js';
import type { ConfigProblem } from '../../kind-config/index.js';
import type { HostFinding } from '../preflight/preflight.js';

export function problemAt(field: string, problem: string): CheckProblemDto {
  return { field, problem, line: null, column: null };
}

/** The problems of an invalid config, or else the message of the error. */
export function problemsOf(error: DomainError, field: string): CheckProblemDto[] {
  if (error.code !== 'config_refused' || !Array.isArray(error.details)) {
    return [problemAt(field, error.message)];
  }
  return (error.details as ConfigProblem[]).map(({ path, ...problem }) => ({
    ...problem,
    field: path || field,
  }));
}

export function warningsOf(findings: readonly HostFinding[]): string[] {
  return findings.filter(({ level }) => level !== 'ok').map(({ title, message }) => `${title}: ${message}.`);
}
