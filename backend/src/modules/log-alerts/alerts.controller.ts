import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Returns, Fails, recordId } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { SaveAlertDto } from './alert-request.dto.js';
import { AlertDto, AlertFiringDto, DeletedAlertDto } from './alert.dto.js';
import { MAX_ALERTS, MAX_FIRINGS } from './alert.js';
import { AlertsService } from './alerts.service.js';

const EXAMPLES = {
  browser: {
    summary: 'Ten timeouts of a workload within a minute, told in the browser',
    value: {
      name: 'Payments time out',
      query: { text: 'upstream timeout', level: ['warn', 'error'] },
      sources: { cluster: 'payments-dev', workload: 'Deployment/payments-api' },
      threshold: 10,
      window_seconds: 60,
    },
  },
  webhook: {
    summary: 'Every fatal line, sent on',
    value: {
      name: 'Anything fatal',
      query: { level: ['fatal'] },
      webhook: { url: 'https://chat.example.org/hooks/slipway', secret: 'a text that both sides know' },
    },
  },
  chat: {
    summary: 'Every fatal line, told in a channel of Slack',
    value: {
      name: 'Anything fatal',
      query: { level: ['fatal'] },
      webhook: { url: 'https://hooks.slack.com/services/T0/B0/xxxx', form: 'slack' },
    },
  },
};

const ALERT_ID = { name: 'id', example: 1 };

/** Rules over live lines. */
@ApiTags('alerts')
@UseGuards(AccessGuard)
@Controller('api/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @ApiOperation({ summary: 'The alerts, by name, and how each stands' })
  @Returns(AlertDto, { list: true })
  list(): Promise<AlertDto[]> {
    return this.alerts.list();
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Add an alert',
    description: [
      `A rule counts live lines, and fires when as many as its threshold lie within its window. At most ${MAX_ALERTS} are kept.`,
      'A webhook goes out by https; one on a loopback or private address, or without TLS, must be named in APP_WEBHOOK_HOSTS.',
      'Its body is the firing with a `link`, or by its `form` a message: `slack` (`text`), `discord` (`content`), `teams` (an adaptive card) or `ntfy` (plain text with headers). Where there is a secret, `X-Slipway-Signature` is `sha256=` and the HMAC of the body in hex;',
      '`X-Slipway-Delivery` is the id of the firing, the same in each of up to eight attempts.',
    ].join(' '),
  })
  @ApiBody({ type: SaveAlertDto, examples: EXAMPLES })
  @Returns(AlertDto, { status: 201 })
  @Fails('invalid_input', 'storage_unavailable')
  create(@Body() request: SaveAlertDto): Promise<AlertDto> {
    return this.alerts.create(request);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change an alert',
    description:
      'What is left out takes its default, but the secret of a webhook, which stays. What it counted so far is forgotten.',
  })
  @ApiParam(ALERT_ID)
  @ApiBody({ type: SaveAlertDto, examples: EXAMPLES })
  @Returns(AlertDto)
  @Fails('invalid_input', 'alert_not_found', 'storage_unavailable')
  update(@Param('id') id: string, @Body() request: SaveAlertDto): Promise<AlertDto> {
    return this.alerts.update(alertId(id), request);
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Delete an alert with its firings',
    description: 'What waits to be sent is not sent.',
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
    summary: 'Try an alert out',
    description:
      'Fires it once: open pages are told, and its webhook is sent to, once. The answer says how that went.',
  })
  @ApiParam(ALERT_ID)
  @Returns(AlertFiringDto)
  @Fails('alert_not_found', 'storage_unavailable')
  test(@Param('id') id: string): Promise<AlertFiringDto> {
    return this.alerts.test(alertId(id));
  }

  @Get(':id/firings')
  @ApiOperation({ summary: `The last ${MAX_FIRINGS} firings of an alert, the newest first` })
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
