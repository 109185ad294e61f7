import {
  BadRequestException,
  HttpException,
  NotFoundException,
  UnauthorizedException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { Response } from 'express';
import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../config/index.js';
import { AppLogger, runInRequest } from '../logging/index.js';
import { DomainError, invalidInput } from './domain-error.js';
import { errorCodes, type ErrorCode } from './error-codes.js';
import { ErrorFilter, type ErrorBody } from './error.filter.js';
import { reasonOf } from './reason-of.js';

interface Rendered {
  status: number;
  body: ErrorBody;
  log: string;
  requestId: string;
  destroyed: boolean;
  removed: string[];
  headers: Record<string, string>;
}

function render(thrown: unknown, headersSent = false): Rendered {
  let log = '';
  const logger = AppLogger.create(readConfiguration({ APP_LOG_FORMAT: 'json' }), {
    write: (entry) => void (log += entry),
  });
  const rendered: Rendered = {
    status: 0,
    body: {} as ErrorBody,
    log,
    requestId: '',
    destroyed: false,
    removed: [],
    headers: {},
  };
  const response = {
    headersSent,
    destroy: () => (rendered.destroyed = true),
    setHeader: (name: string, value: string) => (rendered.headers[name] = value),
    removeHeader: (name: string) => rendered.removed.push(name),
    status: (status: number) => {
      rendered.status = status;
      return response;
    },
    type: (type: string) => {
      expect(type).toBe('application/json');
      return response;
    },
    json: (body: ErrorBody) => (rendered.body = body),
  };
  runInRequest((requestId) => {
    rendered.requestId = requestId;
    new ErrorFilter(logger).render(thrown, response as unknown as Response);
  });
  return { ...rendered, log };
}

/** Plain errors with extra properties, as body-parser throws them. */
function marked(message: string, marks: Record<string, unknown>): Error {
  return Object.assign(new Error(message), marks);
}

describe('ErrorFilter with a long URL', () => {
  it('shortens a URL to 300 characters in the body and the log', () => {
    const url = `/api/v1/${'-eyJ'.repeat(3750)}`;
    for (const thrown of [new NotFoundException(`Cannot GET ${url}`), new BadRequestException(url)]) {
      const { body, log } = render(thrown);
      expect(body.message.length).toBeLessThan(360);
      expect(log.length).toBeLessThan(800);
    }
  });
});

describe('errorCodes', () => {
  it.each(Object.keys(errorCodes) as ErrorCode[])('renders %s in the format of all errors', (code) => {
    const { status, body, requestId } = render(new DomainError(code, 'What happened.', { field: 'x' }));
    expect(status).toBe(errorCodes[code].status);
    expect(body).toEqual({
      statusCode: errorCodes[code].status,
      error: expect.stringMatching(/^[A-Z][A-Za-z ]+$/),
      message: 'What happened.',
      code,
      details: { field: 'x' },
      request_id: requestId,
    });
    expect(requestId).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('ErrorFilter', () => {
  it.each([
    ['Nest: a body that cannot be read', new BadRequestException('Unexpected token'), 400, 'malformed_body'],
    ['Nest: no session', new UnauthorizedException(), 401, 'unauthorized'],
    ['Nest: no such route', new NotFoundException('Cannot GET /x'), 404, 'route_not_found'],
    ['Nest: a wrong type', new UnsupportedMediaTypeException('Send JSON.'), 415, 'unsupported_media_type'],
    ['a limiter', new HttpException('Slow down.', 429), 429, 'too_many_requests'],
    [
      'a body too large',
      marked('request entity too large', { type: 'entity.too.large' }),
      413,
      'payload_too_large',
    ],
    ['broken JSON', marked('Unexpected end', { type: 'entity.parse.failed' }), 400, 'malformed_body'],
    ['an encoding', marked('unsupported', { type: 'encoding.unsupported' }), 415, 'unsupported_media_type'],
    ['a charset', marked('unsupported', { type: 'charset.unsupported' }), 415, 'unsupported_media_type'],
    ['a body cut short', marked('aborted', { type: 'request.aborted' }), 400, 'malformed_body'],
    ['a broken escape', new URIError('URI malformed'), 400, 'invalid_input'],
    ['an unexpected HTTP error', new HttpException('teapot', 418), 500, 'internal'],
    ['a plain error', new TypeError('x is not a function'), 500, 'internal'],
    ['a thrown string', 'oops', 500, 'internal'],
    ['nothing at all', undefined, 500, 'internal'],
  ])('renders %s', (_, thrown, status, code) => {
    const rendered = render(thrown);
    expect(rendered.status).toBe(status);
    expect(rendered.body).toMatchObject({ statusCode: status, code, request_id: rendered.requestId });
    expect(rendered.body.message.length).toBeGreaterThan(5);
  });

  it('sets www-authenticate and retry-after', () => {
    const challenge = { 'www-authenticate': 'Bearer realm="Slipway"' };
    expect(render(new DomainError('unauthorized', 'Unauthorized')).headers).toEqual(challenge);
    const wait = render(new DomainError('too_many_requests', 'Wait.', { retry_after_seconds: 7 }));
    expect(wait.headers).toEqual({ 'retry-after': '7' });
    expect(render(new DomainError('invalid_input', 'No.')).headers).toEqual({});
  });

  it('logs an unexpected error, and sends only its request id', () => {
    const { body, log, requestId } = render(new Error('the database has a secret column'));
    expect(JSON.stringify(body)).not.toContain('secret column');
    expect(body.message).toContain(requestId);
    expect(log).toContain('the database has a secret column');
  });

  it('does not log mistakes of clients', () => {
    expect(render(new DomainError('invalid_input', 'No.')).log).toBe('');
    expect(render(new DomainError('runtime_unavailable', 'Gone.')).log).toContain('"level":"warn"');
  });

  it('masks secrets in messages', () => {
    const { body } = render(new DomainError('image_not_pulled', 'https://me:hunter2@registry.test refused'));
    expect(body.message).toBe('https://me:[removed]@registry.test refused');
  });

  it('removes the content-disposition of a download', () => {
    expect(render(new DomainError('kubeconfig_not_found', 'None.')).removed).toEqual(['content-disposition']);
  });

  it('closes the connection of a response that has started', () => {
    expect(render(new Error('late'), true)).toMatchObject({ destroyed: true, status: 0 });
  });
});

describe('invalidInput and reasonOf', () => {
  it('lists every invalid field', () => {
    const error = invalidInput([
      { field: 'name', problem: 'is missing' },
      { field: 'workers', problem: 'must be at most 20' },
    ]);
    expect(error.message).toBe('The request is invalid: name is missing; workers must be at most 20.');
    expect(error.details).toHaveLength(2);
  });

  it('gives a reason for any thrown value', () => {
    expect(reasonOf(new AggregateError([new Error('one'), new Error('two')], ''))).toBe('one; two');
    expect(reasonOf(new TypeError())).toBe('TypeError');
    expect(reasonOf('text')).toBe('text');
  });
});
