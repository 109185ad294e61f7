import { STATUS_CODES } from 'node:http';
import { errorCodes, type ErrorCode } from '../errors/index.js';
import type { ErrorDto } from './responses.js';

export interface ErrorResponses {
  description: string;
  byCode: Record<string, { value: ErrorDto }>;
}

/** The error responses for a list of codes, by status, with statuses and codes in a fixed order. */
export function errorResponses(codes: readonly ErrorCode[]): Map<string, ErrorResponses> {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort((one, two) => one - two);
  return new Map(
    statuses.map((status) => {
      const own = codes.filter((code) => errorCodes[code].status === status).sort();
      return [
        String(status),
        {
          description: `${STATUS_CODES[status] ?? 'Error'}: ${own.map((code) => `\`${code}\``).join(', ')}`,
          byCode: Object.fromEntries(own.map((code) => [code, { value: exampleOf(status, code) }])),
        },
      ];
    }),
  );
}

function exampleOf(status: number, code: ErrorCode): ErrorDto {
  return {
    statusCode: status,
    error: STATUS_CODES[status] ?? 'Error',
    message: errorCodes[code].example,
    code,
    details: detailsOf(code),
    request_id: '5f0c2d1e9a7b4c33',
  };
}

function detailsOf(code: ErrorCode): unknown {
  switch (code) {
    case 'invalid_input':
      return [{ field: 'workers', problem: 'must be a whole number from 0 to 20' }];
    case 'method_not_allowed':
      return { allowed: ['GET', 'HEAD'] };
    case 'cluster_busy':
      return { job_id: 12 };
    case 'job_ended':
      return { job_id: 12, state: 'succeeded' };
    case 'cluster_ambiguous':
      return { runtimes: ['docker', 'podman'] };
    case 'cluster_state':
      return { state: 'creating' };
    case 'precondition_failed':
      return { etag: '"9f86d081884c7d65"' };
    default:
      return null;
  }
}
