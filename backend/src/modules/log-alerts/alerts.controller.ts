import { Body, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam } from '@nestjs/swagger';
import type { Response } from 'express';
import { abortOnDisconnect, Returns, Fails, recordId } from '../../core/api/index.js';
import { GuardedController, RouteScope } from '../../core/security/index.js';
import { RegexLimit } from '../log-search/index.js';
import { AlertHistory } from './alert-history.js';
import {
  AlertDto,
  AlertFiringDto,
  AlertPreviewDto,
  DeletedAlertDto,
  PreviewAlertDto,
  SaveAlertDto,
} from './alert.dto.js';
import { AlertsService, MAX_ALERTS } from './alerts.service.js';
import { MAX_FIRINGS } from './firing.store.js';

const EXAMPLES = {
  browser: {
    summary: 'Ten timeouts of a workload within a minute, with a browser notification',
    value: {
      name: 'Payments time out',
      query: { text: 'upstream timeout', level: ['warn', 'error'] },
      sources: { cluster: 'payments-dev', workload: 'Deployment/payments-api' },
      threshold: 10,
      window_seconds: 60,
    },
  },
  webhook: {
    summary: 'Every fatal line, to a webhook',
    value: {
      name: 'Anything fatal',
      query: { level: ['fatal'] },
      webhook: { url: 'https://chat.example.org/hooks/slipway', secret: 'a shared secret' },
    },
  },
  chat: {
    summary: 'Every fatal line, to a Slack channel',
    value: {
      name: 'Anything fatal',
      query: { level: ['fatal'] },
      webhook: { url: 'https://hooks.slack.com/services/T0/B0/xxxx', form: 'slack' },
    },
  },
};

const PREVIEW = {
  errors: {
    summary: 'Five errors within a minute',
    value: { query: { level: ['error', 'fatal'] }, threshold: 5 },
  },
};

const ALERT_ID = { name: 'id', example: 1 };

@GuardedController('alerts', 'api/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly history: AlertHistory,
    private readonly regexLimit: RegexLimit,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List alerts and their status, sorted by name' })
  @Returns(AlertDto, { list: true })
  list(): Promise<AlertDto[]> {
    return this.alerts.list();
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create an alert',
    description: [
      `An alert counts live lines and fires when the number in its window reaches the threshold. The maximum is ${MAX_ALERTS} alerts.`,
      'Webhooks use https. Hosts with a loopback or private address, or without TLS, must be listed in APP_WEBHOOK_HOSTS.',
      'The body is the firing with a `link`, or depending on `form` a message: `slack` (`text`), `discord` (`content`), `teams` (an adaptive card) or `ntfy` (plain text with headers). With a secret, `X-Slipway-Signature` is `sha256=` and the HMAC of the body in hex.',
      '`X-Slipway-Delivery` is the id of the firing, the same in each of up to 8 attempts.',
    ].join(' '),
  })
  @ApiBody({ type: SaveAlertDto, examples: EXAMPLES })
  @Returns(AlertDto, { status: 201 })
  @Fails('storage_unavailable')
  create(@Body() request: SaveAlertDto): Promise<AlertDto> {
    return this.alerts.create(request);
  }

  @Post('preview')
  @HttpCode(200)
  @RouteScope('read')
  @ApiOperation({
    summary: 'Evaluate an alert over stored lines',
    description:
      'Says how often the alert would have fired in the last 24 hours. Nothing is saved or sent. Evaluates at most the newest 50,000 matching lines, and ends with the deadline of a search.',
  })
  @ApiBody({ type: PreviewAlertDto, examples: PREVIEW })
  @Returns(AlertPreviewDto)
  @Fails('search_invalid', 'too_many_requests', 'storage_unavailable')
  preview(
    @Body() request: PreviewAlertDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AlertPreviewDto> {
    this.regexLimit.admit(request.query, response);
    return this.history.preview(request, abortOnDisconnect(response));
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Update an alert',
    description:
      'Omitted fields get their defaults, except the webhook secret, which is kept. The count starts again at zero.',
  })
  @ApiParam(ALERT_ID)
  @ApiBody({ type: SaveAlertDto, examples: EXAMPLES })
  @Returns(AlertDto)
  @Fails('alert_not_found', 'storage_unavailable')
  update(@Param('id') id: string, @Body() request: SaveAlertDto): Promise<AlertDto> {
    return this.alerts.update(alertId(id), request);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Delete an alert with its firings',
    description: 'Pending webhook deliveries are canceled.',
  })
  @ApiParam(ALERT_ID)
  @Returns(DeletedAlertDto)
  @Fails('alert_not_found', 'storage_unavailable')
  async remove(@Param('id') text: string): Promise<DeletedAlertDto> {
    const id = alertId(text);
    await this.alerts.remove(id);
    return { id };
  }

  @Post(':id/test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Test an alert',
    description:
      'Fires the alert once: notifies open pages and sends the webhook. The response contains the result of the delivery.',
  })
  @ApiParam(ALERT_ID)
  @Returns(AlertFiringDto)
  @Fails('alert_not_found', 'storage_unavailable')
  test(@Param('id') id: string): Promise<AlertFiringDto> {
    return this.alerts.test(alertId(id));
  }

  @Get(':id/firings')
  @ApiOperation({ summary: `List the last ${MAX_FIRINGS} firings of an alert, newest first` })
  @ApiParam(ALERT_ID)
  @Returns(AlertFiringDto, { list: true })
  @Fails('alert_not_found', 'storage_unavailable')
  firings(@Param('id') id: string): Promise<AlertFiringDto[]> {
    return this.alerts.firingsOf(alertId(id));
  }
}

function alertId(text: string): number {
  return recordId(text, 'alert_not_found', 'alert');
}
