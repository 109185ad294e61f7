import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Header, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Fails } from '../../core/api/index.js';
import { readProject } from '../../core/config/index.js';
import { AccessGuard } from '../../core/security/index.js';

@ApiTags('documentation')
@UseGuards(AccessGuard)
@Controller('docs')
export class DocumentationController {
  private readonly path = join(readProject().root, 'README.md');

  @Get('readme')
  @ApiOperation({ summary: 'Get the README' })
  @ApiProduces('text/markdown')
  @ApiResponse({
    status: 200,
    description: 'Markdown',
    content: { 'text/markdown': { schema: { type: 'string' }, example: '# Slipway\n…' } },
  })
  @Fails()
  @Header('content-type', 'text/markdown; charset=utf-8')
  readme(): Promise<string> {
    return readFile(this.path, 'utf8');
  }
}
