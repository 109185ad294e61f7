import { DomainError, type ErrorCode } from '../../../core/errors/index.js';
import type { ClusterTarget } from '../../kubernetes/index.js';
import type { CommandError } from '../../process/index.js';
import type { ReleaseName } from '../package-manager.js';

/** What helm says, without its own prefixes: the cause, for a person. */
export function causeOf(error: CommandError): string {
  const lines = error.stderr.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => /^Error: /.test(line));
  const text =
    first === -1 ? (lines.findLast((line) => line !== '') ?? error.message) : lines.slice(first).join(' ');
  return (
    text
      .replace(/^Error: (?:(?:INSTALLATION|UPGRADE) FAILED: )?/, '')
      // A hint for who has repositories of helm's own.
      .replaceAll(" (try 'helm repo update')", '')
      .trim()
      .slice(0, 2000)
  );
}

/** That the cluster does not answer, whatever was asked of it. */
export function clusterFailure(error: CommandError, { name }: ClusterTarget): DomainError | undefined {
  if (!/cluster reachability check failed|kubernetes cluster unreachable/i.test(error.stderr)) {
    return undefined;
  }
  return translated(error, 'cluster_unreachable', `The API of ${name} does not answer: ${causeOf(error)}.`);
}

/** The refusals of an install or upgrade that have a code of their own. */
export function refusal(error: CommandError, { release, namespace }: ReleaseName): DomainError | undefined {
  const said = error.stderr;
  const cause = causeOf(error);
  if (/another operation .* is in progress/.test(said)) {
    return translated(
      error,
      'release_busy',
      `Another operation on ${release} in ${namespace} is in progress.`,
    );
  }
  if (/name that is still in use/.test(said)) {
    return translated(
      error,
      'release_exists',
      `There is a release called ${release} in ${namespace} already.`,
    );
  }
  if (/release: not found|has no deployed releases/.test(said)) {
    return translated(error, 'addon_not_found', `There is no release called ${release} in ${namespace}.`);
  }
  if (/chart requires kubeVersion/.test(said)) {
    return translated(error, 'chart_refused', `The chart does not fit this cluster: ${cause}.`);
  }
  if (/values don't meet the specifications of the schema/.test(said)) {
    return translated(error, 'values_refused', `The chart's schema refuses these values: ${cause}`);
  }
  if (
    /template:|execution error at|YAML parse error|error converting YAML|error unmarshaling|parse error at|unable to build kubernetes objects|error validating|already exists/i.test(
      said,
    )
  ) {
    return translated(error, 'values_refused', `With these values the chart cannot be installed: ${cause}`);
  }
  return undefined;
}

/** Why a chart could not be fetched. */
export function fetchFailure(error: CommandError, what: string, from: string): DomainError {
  const said = `${error.stderr}\n${error.stdout}`;
  const missing =
    /not found|no chart (name|version) found|chart .* version .* not found|MANIFEST_UNKNOWN|NAME_UNKNOWN|invalid_reference/i;
  const unreachable =
    /dial tcp|no such host|timeout|connection refused|TLS handshake|x509|unable to get an update/i;
  const locked = /\b40[13] (unauthorized|forbidden)\b|basic credential not found|status code 40[13]|denied/i;
  const unreadable = /error (unmarshaling|converting)|no API version specified|yaml: /i;
  if (error.failure === 'failed' && locked.test(said)) {
    return translated(
      error,
      'repository_unreachable',
      `${from} lets in only who has the right name and password, or has no ${what}: ${lastCause(error)}.`,
    );
  }
  if (error.failure === 'failed' && unreadable.test(said)) {
    return translated(
      error,
      'repository_unreachable',
      `${from} answers, but not with an index of charts (index.yaml): ${lastCause(error)}.`,
    );
  }
  if (error.failure === 'failed' && missing.test(said) && !unreachable.test(said)) {
    return translated(error, 'chart_not_found', `${from} has no ${what}: ${causeOf(error)}.`);
  }
  return translated(error, 'repository_unreachable', `${from} cannot be reached: ${lastCause(error)}.`);
}

/** Helm tells why an index could not be had on stdout, and on stderr only that it could not. */
function lastCause(error: CommandError): string {
  if (error.failure !== 'failed') return error.message;
  const told = /Unable to get an update[^\n]*\n\s*([^\n]+)/.exec(error.stdout)?.[1];
  return (told ?? causeOf(error)).replace(/\.$/, '');
}

function translated(error: CommandError, code: ErrorCode, message: string): DomainError {
  return new DomainError(code, message.replace(/\.+$/, '.'), undefined, { cause: error });
}
