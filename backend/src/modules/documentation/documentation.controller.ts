import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyDecorators, Get, Header, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiProduces, ApiResponse } from '@nestjs/swagger';
import { Fails, Returns } from '../../core/api/index.js';
import { readProject } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { GuardedController } from '../../core/security/index.js';
import { DocumentationPageDto } from './page.dto.js';
import { isPageName, PAGES, type PageName } from './pages.js';

function ReturnsMarkdown(): MethodDecorator {
  return applyDecorators(
    ApiProduces('text/markdown'),
    ApiResponse({
      status: 200,
      description: 'Markdown',
      content: { 'text/markdown': { schema: { type: 'string' }, example: '# Slipway\n…' } },
    }),
    Header('content-type', 'text/markdown; charset=utf-8'),
  );
}

@GuardedController('documentation', 'docs')
export class DocumentationController {
  private readonly root = readProject().root;

  @Get()
  @ApiOperation({ summary: 'List documentation pages', description: 'In the order of the navigation.' })
  @Returns(DocumentationPageDto, { list: true })
  list(): Promise<DocumentationPageDto[]> {
    return Promise.all(
      Object.entries(PAGES).map(async ([name, file]) => {
        const text = await this.read(name as PageName);
        return { name, file, title: /^# (.+)$/m.exec(text)?.[1] ?? name };
      }),
    );
  }

  @Get('readme')
  @ApiOperation({ summary: 'Get the README' })
  @ReturnsMarkdown()
  readme(): Promise<string> {
    return this.read('readme');
  }

  @Get(':page')
  @ApiOperation({ summary: 'Get a documentation page' })
  @ApiParam({ name: 'page', enum: Object.keys(PAGES), example: 'install' })
  @ReturnsMarkdown()
  @Fails('route_not_found')
  async page(@Param('page') page: string): Promise<string> {
    if (isPageName(page)) return await this.read(page);
    throw new DomainError(
      'route_not_found',
      `The documentation has no such page. Available: ${Object.keys(PAGES).join(', ')}.`,
    );
  }

  private read(name: PageName): Promise<string> {
    return readFile(join(this.root, PAGES[name]), 'utf8');
  }
}
