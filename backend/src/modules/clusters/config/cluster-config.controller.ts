import {
  applyDecorators,
  Body,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
  SerializeOptions,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Returns,
  ApiClusterName,
  clusterName,
  Fails,
  RuntimeQueryDto,
  AcceptsYaml,
} from '../../../core/api/index.js';
import { hasCode } from '../../../core/errors/index.js';
import {
  acceptsHostAccess,
  GuardedController,
  KindClustersOnly,
  NeedsRecentPassword,
  RouteScope,
} from '../../../core/security/index.js';
import {
  ConfigCheckDto,
  ConfigDto,
  ConfigQueryDto,
  ConfigTextDto,
  SavedConfigDto,
} from './cluster-config.dto.js';
import { ClusterConfigService, type TaggedConfig } from './cluster-config.service.js';
import { configBodyExamples, CONFIG_EXAMPLE } from './config-examples.js';

@ApiClusterName()
@KindClustersOnly()
@GuardedController('clusters', 'clusters/:name/config')
export class ClusterConfigController {
  constructor(private readonly configs: ClusterConfigService) {}

  @Get()
  @ApiOperation({
    summary: 'Get the saved config',
    description:
      'For a cluster created outside Slipway, returns a config rebuilt from its containers until one is saved; `source` tells which. Returns YAML, or JSON if the Accept header prefers it. The ETag applies to the text in both formats. Send it as If-Match to replace the config.',
  })
  @ReturnsConfig(ConfigDto)
  @Fails('config_not_found', 'runtime_unavailable')
  async read(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | TaggedConfig> {
    return render(await this.configs.read(clusterName(name), runtime), request, response);
  }

  @Get('applied')
  @ApiOperation({
    summary: 'Get the config that the cluster was created from',
    description: 'Differs from the saved one while `config_changed` is set.',
  })
  @ReturnsConfig(ConfigDto)
  @Fails('config_not_found', 'runtime_unavailable')
  async applied(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | TaggedConfig> {
    return render(await this.configs.applied(clusterName(name), runtime), request, response);
  }

  @Get('schema')
  @ApiOperation({
    summary: 'Get the JSON Schema of the config',
    description: 'The schema of kind v1alpha4. Further checks follow after the schema.',
  })
  @ApiResponse({
    status: 200,
    description: 'JSON Schema',
    content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
  })
  schema(@Param('name') name: string, @Query() { runtime }: RuntimeQueryDto): Promise<object> {
    return this.configs.schema(clusterName(name), runtime);
  }

  @Put()
  @NeedsRecentPassword(acceptsHostAccess)
  @AcceptsYaml('config')
  @ApiOperation({
    summary: 'Replace the saved config',
    description:
      'An invalid config is rejected. The running cluster does not change: the next start recreates it from this config. The response can differ from the request, because a node without an image gets the default image.',
  })
  @ApiHeader({
    name: 'If-Match',
    required: false,
    description:
      'ETag of the config to replace. The response is 412 if the config has changed since. Without this header, the config is replaced unconditionally.',
    schema: { type: 'string', example: '"9f86d081884c7d65"' },
  })
  @ApiConsumes('application/json', 'application/yaml')
  @ApiBody({ type: ConfigTextDto, examples: configBodyExamples })
  @ReturnsConfig(SavedConfigDto)
  @Fails(
    'config_not_found',
    'cluster_busy',
    'precondition_failed',
    'config_refused',
    'confirmation_required',
    'reauthentication_required',
    'runtime_unavailable',
    'storage_unavailable',
  )
  async replace(
    @Param('name') name: string,
    @Query() { runtime, accept_host_access }: ConfigQueryDto,
    @Body() body: ConfigTextDto,
    @Headers('if-match') match: string | undefined,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string | TaggedConfig> {
    try {
      const saved = await this.configs.replace(clusterName(name), runtime, {
        text: body.config,
        match,
        acceptHostAccess: body.accept_host_access ?? accept_host_access ?? false,
      });
      return render(saved, request, response);
    } catch (error) {
      if (hasCode(error, 'precondition_failed')) {
        response.setHeader('etag', (error.details as { etag: string }).etag);
      }
      throw error;
    }
  }

  @Post('check')
  @HttpCode(200)
  @RouteScope('read')
  @AcceptsYaml('config')
  @ApiOperation({
    summary: 'Check a config change',
    description: 'Changes nothing. The response lists every problem of the config with its line.',
  })
  @ApiConsumes('application/json', 'application/yaml')
  @ApiBody({ type: ConfigTextDto, examples: configBodyExamples })
  @Returns(ConfigCheckDto)
  @Fails('config_not_found', 'runtime_unavailable')
  check(
    @Param('name') name: string,
    @Query() { runtime }: RuntimeQueryDto,
    @Body() { config }: ConfigTextDto,
  ): Promise<ConfigCheckDto> {
    return this.configs.check(clusterName(name), runtime, config);
  }
}

function ReturnsConfig(type: typeof ConfigDto): MethodDecorator {
  return applyDecorators(
    SerializeOptions({ type, excludeExtraneousValues: true }),
    ApiExtraModels(type),
    ApiResponse({
      status: 200,
      description: 'OK',
      headers: { ETag: { description: 'Of the text', schema: { type: 'string' } } },
      content: {
        'application/yaml': { schema: { type: 'string' }, example: CONFIG_EXAMPLE },
        'application/json': { schema: { $ref: getSchemaPath(type) } },
      },
    }),
  );
}

function render(config: TaggedConfig, request: Request, response: Response): string | TaggedConfig {
  response.setHeader('etag', config.etag);
  response.vary('accept');
  if (request.accepts(['application/yaml', 'application/json']) === 'application/json') return config;
  response.type('application/yaml');
  return config.config;
}
