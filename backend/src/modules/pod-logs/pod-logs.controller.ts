import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Returns,
  Fails,
  abortOnDisconnect,
  ApiPod,
  clusterName,
  RuntimeQueryDto,
  type PodParameters,
} from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { GuardedController } from '../../core/security/index.js';
import { OPEN_FAILURES } from '../resources/index.js';
import { plainText } from '../log-lines/index.js';
import type { LineBatch } from './bounded-backlog.js';
import { eventsOf } from './line-events.js';
import { PodContainersDto, PodLineDto, type PodLogEvent, PodLogQueryDto } from './pod-logs.dto.js';
import { type PodAddress, PodLogsService } from './pod-logs.service.js';

export const NDJSON = 'application/x-ndjson';
/** If no line has arrived after this time, the headers are sent, so that the client knows that the log is open. */
const HEADERS_MS = 1000;

@GuardedController('resources', 'clusters/:name/pods/:namespace/:pod')
export class PodLogsController {
  constructor(
    private readonly logs: PodLogsService,
    private readonly logger: AppLogger,
  ) {}

  @Get('containers')
  @ApiOperation({ summary: 'List the containers of a pod', description: 'Each container has its own log.' })
  @ApiPod()
  @Returns(PodContainersDto)
  @Fails(...OPEN_FAILURES, 'resource_not_found')
  async containers(
    @Param() parameters: PodParameters,
    @Query() { runtime }: RuntimeQueryDto,
  ): Promise<PodContainersDto> {
    const containers = await this.logs.containers(addressOf(parameters, runtime));
    return {
      containers: containers.map(({ startedAt, ...container }) => ({ ...container, started_at: startedAt })),
    };
  }

  @Get('logs')
  @ApiOperation({
    summary: 'Read the log of a container',
    description:
      'NDJSON: `line` objects, and finally `end`, or `error` if reading fails. The backlog is limited to 8 MB of text: if it is larger, a `left_out` object first says how many older lines are omitted. With `Accept: text/plain`, only the text of the lines, without terminal escape sequences.',
  })
  @ApiPod()
  @ApiExtraModels(PodLineDto)
  @ApiOkResponse({
    description: 'OK',
    content: {
      [NDJSON]: { schema: { type: 'string', example: '{"type":"end"}\n' } },
      'text/plain': { schema: { type: 'string' } },
    },
  })
  @Fails(...OPEN_FAILURES, 'resource_not_found', 'log_unreadable', 'too_many_requests')
  async read(
    @Param() parameters: PodParameters,
    @Query() query: PodLogQueryDto,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const signal = abortOnDisconnect(response);
    const batches = this.logs.read(addressOf(parameters, query.runtime), query, signal);
    const isText = request.accepts([NDJSON, 'text/plain']) === 'text/plain';
    const write = async (text: string): Promise<void> => {
      if (text !== '' && !response.write(text)) await once(response, 'drain', { signal });
    };
    let next = batches.next();
    // Errors until now have a status code. Later ones are sent in the stream.
    await Promise.race([next, delay(HEADERS_MS)]);
    response.type(isText ? 'text/plain; charset=utf-8' : NDJSON);
    response.flushHeaders();
    try {
      for (let batch = await next; !batch.done; batch = await next) {
        next = batches.next();
        next.catch(() => undefined);
        await write(isText ? textOf(batch.value) : eventsOf(batch.value));
      }
      if (!isText) await write(`${JSON.stringify({ type: 'end' } satisfies PodLogEvent)}\n`);
      response.end();
    } catch (error) {
      if (signal.aborted || isText) response.destroy();
      else response.end(`${JSON.stringify(failureOf(error, this.logger))}\n`);
    } finally {
      void batches.return(undefined);
    }
  }
}

export function failureOf(error: unknown, logger: AppLogger): PodLogEvent {
  if (error instanceof DomainError) return { type: 'error', code: error.code, message: error.message };
  logger.failure('reading the log of a pod failed', error);
  return { type: 'error', code: 'internal', message: 'Could not read the log to its end. Read it again.' };
}

function addressOf({ name, namespace, pod }: PodParameters, runtime: string | undefined): PodAddress {
  return { cluster: clusterName(name), runtime, namespace, pod };
}

function textOf({ omitted, lines }: LineBatch): string {
  const before = `[Slipway] This log is incomplete. Omitted older lines: ${omitted}\n`;
  return `${omitted > 0 ? before : ''}${lines.map(({ text }) => `${plainText(text)}\n`).join('')}`;
}
