import { HttpErrorResponse, type HttpInterceptorFn } from '@angular/common/http';
import { catchError, from, mergeMap, throwError } from 'rxjs';
import type { ErrorBody, ErrorCode, FieldProblem } from './api-types';

/** `offline`: no response. `unreadable`: a response that is not from Slipway's API. */
export type ProblemCode = ErrorCode | 'offline' | 'unreadable';

/** A field error, with its place in the config if there is one. */
export interface PlacedProblem extends FieldProblem {
  code?: string;
  line?: number | null;
  column?: number | null;
}

/** A failed API call. The message is for the user. */
export class ApiProblem extends Error {
  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly status: number,
    readonly details: unknown = null,
    readonly requestId = '',
  ) {
    super(message);
    this.name = 'ApiProblem';
  }

  /** The invalid fields; empty for other problems. */
  get fields(): PlacedProblem[] {
    const list = Array.isArray(this.details) ? (this.details as unknown[]) : [];
    return list.filter(isPlacedProblem);
  }

  get jobId(): number | null {
    const { details } = this;
    if (typeof details !== 'object' || details === null || !('job_id' in details)) return null;
    return typeof details.job_id === 'number' ? details.job_id : null;
  }

  static of(thrown: unknown): ApiProblem {
    if (thrown instanceof ApiProblem) return thrown;
    if (thrown instanceof HttpErrorResponse) return fromResponse(thrown);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new ApiProblem('internal', message, 0);
  }
}

/** For `catch`: ignores a problem with this code, such as a deletion in another tab. */
export function ignore(code: ProblemCode): (thrown: unknown) => void {
  return (thrown) => {
    if (ApiProblem.of(thrown).code !== code) throw thrown;
  };
}

/** Converts every failed HttpClient call to an ApiProblem. */
export const apiProblems: HttpInterceptorFn = (request, next) =>
  next(request).pipe(
    catchError((thrown: unknown) =>
      thrown instanceof HttpErrorResponse && thrown.error instanceof Blob
        ? from(thrown.error.text()).pipe(mergeMap((text) => throwError(() => fromResponse(thrown, text))))
        : throwError(() => ApiProblem.of(thrown)),
    ),
  );

function fromResponse(response: HttpErrorResponse, content: unknown = response.error): ApiProblem {
  if (response.status === 0) {
    return new ApiProblem(
      'offline',
      $localize`Slipway does not respond. Check that it is running. This page reconnects automatically.`,
      0,
    );
  }
  const body = parse(content);
  if (!isErrorBody(body)) {
    return new ApiProblem(
      'unreadable',
      $localize`Unexpected response (status ${response.status}:status:). Another program may be listening at this address.`,
      response.status,
    );
  }
  return new ApiProblem(body.code, body.message, body.statusCode, body.details, body.request_id);
}

/** Requests for text or files get errors as text. */
function parse(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false;
  const { statusCode, message, code } = body as Partial<ErrorBody>;
  return typeof statusCode === 'number' && typeof message === 'string' && typeof code === 'string';
}

function isPlacedProblem(entry: unknown): entry is PlacedProblem {
  if (typeof entry !== 'object' || entry === null) return false;
  const { field, problem } = entry as Partial<PlacedProblem>;
  return typeof field === 'string' && typeof problem === 'string';
}
