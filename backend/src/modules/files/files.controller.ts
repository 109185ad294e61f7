import { Body, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  abortOnDisconnect,
  ApiPod,
  clusterName,
  Fails,
  Returns,
  type PodParameters,
} from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { CountsAsChange, GuardedController, RouteScope } from '../../core/security/index.js';
import { OPEN_FAILURES } from '../resources/index.js';
import {
  FileListDto,
  FileQueryDto,
  FileWrittenDto,
  TextFileDto,
  UploadQueryDto,
  WriteTextDto,
} from './files.dto.js';
import { FilesService, type FileAddress } from './files.service.js';
import { sendContent } from './send-content.js';

const FILE_FAILURES = [
  ...OPEN_FAILURES,
  'resource_not_found',
  'file_not_found',
  'file_refused',
  'file_tools_missing',
  'too_many_requests',
  'storage_unavailable',
] as const;

@RouteScope('full')
@CountsAsChange()
@GuardedController('resources', 'clusters/:name/pods/:namespace/:pod/files')
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Get()
  @ApiOperation({
    summary: 'List a directory of a container',
    description:
      'Programs of the container list, read and write its files. An image without them returns `file_tools_missing`.',
  })
  @ApiPod()
  @Returns(FileListDto)
  @Fails(...FILE_FAILURES)
  list(
    @Param() parameters: PodParameters,
    @Query() query: FileQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileListDto> {
    return this.files.list(addressOf(parameters, query), abortOnDisconnect(response));
  }

  @Get('text')
  @ApiOperation({ summary: 'Read a text file of a container', description: 'UTF-8, up to 1 MB.' })
  @ApiPod()
  @Returns(TextFileDto)
  @Fails(...FILE_FAILURES)
  readText(
    @Param() parameters: PodParameters,
    @Query() query: FileQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TextFileDto> {
    return this.files.readText(addressOf(parameters, query), abortOnDisconnect(response));
  }

  @Put('text')
  @ApiOperation({
    summary: 'Write a text file of a container',
    description: 'Creates the file, or replaces its content and keeps its owner and permissions.',
  })
  @ApiPod()
  @ApiBody({
    type: WriteTextDto,
    examples: { 'a config file': { value: { text: 'worker_processes 2;\n' } } },
  })
  @Returns(FileWrittenDto)
  @Fails(...FILE_FAILURES, 'resource_conflict')
  writeText(
    @Param() parameters: PodParameters,
    @Query() query: FileQueryDto,
    @Body() { text, version }: WriteTextDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileWrittenDto> {
    return this.files.writeText(addressOf(parameters, query), text, version, abortOnDisconnect(response));
  }

  @Get('content')
  @ApiOperation({
    summary: 'Download a file or directory of a container',
    description: 'A directory is a tar archive. If reading fails, the connection is closed before the end.',
  })
  @ApiPod()
  @ApiOkResponse({
    description: 'OK',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  })
  @Fails(...FILE_FAILURES)
  async download(
    @Param() parameters: PodParameters,
    @Query() query: FileQueryDto,
    @Res() response: Response,
  ): Promise<void> {
    const signal = abortOnDisconnect(response);
    const { name, content } = await this.files.download(addressOf(parameters, query), signal);
    await sendContent(response, name, content, signal);
  }

  @Put('content')
  @ApiOperation({
    summary: 'Upload a file to a container',
    description: 'Up to 2 GB. An interrupted upload changes nothing.',
  })
  @ApiPod()
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' } })
  @Returns(FileWrittenDto)
  @Fails(...FILE_FAILURES, 'file_exists', 'payload_too_large', 'unsupported_media_type')
  async upload(
    @Param() parameters: PodParameters,
    @Query() { replace, ...query }: UploadQueryDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileWrittenDto> {
    const size = Number(request.headers['content-length'] ?? NaN);
    // Without a body, a request has no content type.
    if (Number.isNaN(size) || (size > 0 && request.is('application/octet-stream') === false)) {
      throw new DomainError(
        'unsupported_media_type',
        'Send the file with content type application/octet-stream and its length.',
      );
    }
    const source = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    try {
      const signal = abortOnDisconnect(response);
      return await this.files.upload(addressOf(parameters, query), { size, replace }, source, signal);
    } finally {
      // A client reads the response after it has sent everything.
      request.resume();
    }
  }
}

function addressOf(
  { name, namespace, pod }: PodParameters,
  { runtime, container, path }: FileQueryDto,
): FileAddress {
  return { cluster: clusterName(name), runtime, namespace, pod, container, path };
}
