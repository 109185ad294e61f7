import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { CatalogEntryDto, CatalogQueryDto } from './common/addon.dto.js';
import { CATALOG, presentEntry } from './catalog/catalog.js';

@ApiTags('addons')
@UseGuards(AccessGuard)
@Controller('addons')
export class CatalogController {
  @Get()
  @ApiOperation({
    summary: 'List the addon catalog',
    description: 'The addons that a new cluster accepts in `addons`.',
  })
  @Returns(CatalogEntryDto, { list: true })
  @Fails('invalid_input')
  catalog(@Query() { kubernetes }: CatalogQueryDto): CatalogEntryDto[] {
    return CATALOG.map((entry) => presentEntry(entry, kubernetes ?? null));
  }
}
