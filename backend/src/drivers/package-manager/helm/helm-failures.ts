import { asSentence, DomainError, type ErrorCode } from '../../../core/errors/index.js';
import type { ClusterTarget } from '../../kubernetes/index.js';
import type { CommandError } from '../../process/index.js';
import type { ReleaseName } from '../package-manager.js';

/** The error message of helm. */
function causeOf(error: CommandError): string {
  // Does not apply, because Slipway does not use helm's own repositories.
  return (error.reason || error.message).replaceAll(" (try 'helm repo update')", '');
}

/** An unreachable cluster. Any command may report it. */
export function clusterFailure(error: CommandError, { name }: ClusterTarget): DomainError | undefined {
  if (!/cluster reachability check failed|kubernetes cluster unreachable/i.test(error.stderr)) {
    return undefined;
  }
  return translated(
    error,
    'cluster_unreachable',
    `The API server of ${name} does not respond: ${causeOf(error)}.`,
  );
}

/** More memory than helm may use. Any command may report it. @param hasChart whether it reads templates and files of a chart */
export function memoryFailure(error: CommandError, hasChart: boolean): DomainError | undefined {
  if (
    !/^(?:runtime: out of memory|fatal error: .{0,40}(?:out of memory|cannot allocate memory))/m.test(
      error.stderr,
    )
  ) {
    return undefined;
  }
  return hasChart
    ? translated(
        error,
        'chart_refused',
        'The chart needs more memory than helm may use. Its templates or values create too much text.',
      )
    : translated(error, 'command_failed', 'helm needs more memory than the 3 GB that Slipway allows it.');
}

/** The error of an operation: with its own code, or with the sentence of helm. Undefined if helm did not end by itself. */
export function operationFailure(
  error: CommandError,
  { release, namespace }: ReleaseName,
): DomainError | undefined {
  if (error.failure !== 'failed') return undefined;
  const output = error.stderr;
  const cause = causeOf(error);
  if (/another operation \([a-z/ ]{1,60}\) is in progress/.test(output)) {
    const message = `Another operation on ${release} in ${namespace} is in progress.`;
    return translated(error, 'release_busy', message);
  }
  if (/name that is still in use/.test(output)) {
    return translated(error, 'release_exists', `Release ${release} already exists in ${namespace}.`);
  }
  if (/release: not found|has no deployed releases/.test(output)) {
    return translated(error, 'addon_not_found', `Release ${release} does not exist in ${namespace}.`);
  }
  if (/chart requires kubeVersion/.test(output)) {
    return translated(error, 'chart_refused', `The chart does not support this cluster: ${cause}.`);
  }
  if (/values don't meet the specifications of the schema/.test(output)) {
    return translated(error, 'values_refused', `The values violate the chart's schema: ${cause}`);
  }
  // helm 3 says `template: x.yaml:4:21: executing …`, and helm 4 `x.yaml:4:21 executing …`.
  if (
    /\bexecuting "|execution error at|YAML parse error|error converting YAML|error unmarshaling|parse error at|unable to build kubernetes objects|error validating|already exists/i.test(
      output,
    )
  ) {
    return translated(error, 'values_refused', `The chart cannot be installed with these values: ${cause}`);
  }
  return translated(error, 'command_failed', `helm could not complete the operation: ${cause}`);
}

export function downloadFailure(error: CommandError, what: string, from: string): DomainError {
  const output = `${error.stderr}\n${error.stdout}`;
  const missing = /not found|no chart (name|version) found|MANIFEST_UNKNOWN|NAME_UNKNOWN|invalid_reference/i;
  const unreachable =
    /dial tcp|no such host|timeout|connection refused|TLS handshake|x509|unable to get an update/i;
  const denied = /\b40[13] (unauthorized|forbidden)\b|basic credential not found|status code 40[13]|denied/i;
  const invalid = /error (unmarshaling|converting)|no API version specified|yaml: /i;
  const cause = downloadCause(error);
  if (error.failure === 'failed') {
    if (denied.test(output)) {
      const message = `${from} denied access. The credentials are invalid, or the ${what} does not exist: ${cause}.`;
      return translated(error, 'repository_unreachable', message);
    }
    if (invalid.test(output)) {
      const message = `The response of ${from} is not a chart index (index.yaml): ${cause}.`;
      return translated(error, 'repository_unreachable', message);
    }
    if (missing.test(output) && !unreachable.test(output)) {
      return translated(error, 'chart_not_found', `${from} has no ${what}: ${causeOf(error)}.`);
    }
  }
  return translated(error, 'repository_unreachable', `Could not reach ${from}: ${cause}.`);
}

/** helm prints the reason for a failed index download on stdout, and only the failure on stderr. */
function downloadCause(error: CommandError): string {
  if (error.failure !== 'failed') return error.message;
  const lines = error.stdout.split('\n');
  const failure = lines.findIndex((line) => line.includes('Unable to get an update'));
  const reason = failure === -1 ? undefined : lines[failure + 1]?.trim();
  return (reason || causeOf(error)).replace(/\.$/, '');
}

function translated(error: CommandError, code: ErrorCode, message: string): DomainError {
  return new DomainError(code, asSentence(message.replace(/(?<!\.)\.+$/, '.')), undefined, { cause: error });
}
