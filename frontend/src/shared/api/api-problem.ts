import { HttpErrorResponse, type HttpInterceptorFn } from '@angular/common/http';
import { catchError, from, mergeMap, throwError } from 'rxjs';
import type { ErrorBody, ErrorCode, FieldProblem } from './api-types';

/** `offline`: the server did not answer at all. `unreadable`: something answered that is not Slipway's API. */
export type ProblemCode = ErrorCode | 'offline' | 'unreadable';

/** A field's complaint, with its place in a given config where there is one. */
export interface PlacedProblem extends FieldProblem {
  line?: number | null;
  column?: number | null;
}

/** Every failed call of the API, in one form. The message is a sentence for the person in front of the page. */
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

  /** The wrong fields that the server names; empty where the problem is of another sort. */
  get fields(): PlacedProblem[] {
    const list = Array.isArray(this.details) ? (this.details as unknown[]) : [];
    return list.filter(isPlacedProblem);
  }

  /** The job that is in the way or belongs to the answer, where the server names one. */
  get jobId(): number | null {
    const { details } = this;
    if (typeof details !== 'object' || details === null || !('job_id' in details)) return null;
    return typeof details.job_id === 'number' ? details.job_id : null;
  }

  /** Whatever was thrown, as a problem; an `ApiProblem` stays what it is. */
  static of(thrown: unknown): ApiProblem {
    if (thrown instanceof ApiProblem) return thrown;
    if (thrown instanceof HttpErrorResponse) return fromResponse(thrown);
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new ApiProblem('internal', message, 0);
  }
}

/** Makes every failed call of HttpClient, and so of `httpResource`, an `ApiProblem`. */
export const apiProblems: HttpInterceptorFn = (request, next) =>
  next(request).pipe(
    catchError((thrown: unknown) =>
      thrown instanceof HttpErrorResponse && thrown.error instanceof Blob
        ? from(thrown.error.text()).pipe(mergeMap((text) => throwError(() => fromResponse(thrown, text))))
        : throwError(() => ApiProblem.of(thrown)),
    ),
  );

function fromResponse(response: HttpErrorResponse, answer: unknown = response.error): ApiProblem {
  if (response.status === 0) {
    return new ApiProblem(
      'offline',
      'Slipway does not answer. Is it still running? This page goes on by itself once it does.',
      0,
    );
  }
  const body = parse(answer);
  if (!isErrorBody(body)) {
    return new ApiProblem(
      'unreadable',
      `The answer cannot be understood (status ${response.status}). Is something else listening at this address?`,
      response.status,
    );
  }
  return new ApiProblem(body.code, body.message, body.statusCode, body.details, body.request_id);
}

/** Requests for text and for files get their error as text. */
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
