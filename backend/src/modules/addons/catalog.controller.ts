import { Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Returns } from '../../core/api/index.js';
import { GuardedController } from '../../core/security/index.js';
import { CatalogEntryDto, CatalogQueryDto } from './common/addon.dto.js';
import { CATALOG, presentEntry } from './catalog/catalog.js';

@GuardedController('addons', 'addons')
export class CatalogController {
  @Get()
  @ApiOperation({
    summary: 'List the addon catalog',
    description: 'The addons that a new cluster accepts in `addons`.',
  })
  @Returns(CatalogEntryDto, { list: true })
  catalog(@Query() { kubernetes }: CatalogQueryDto): CatalogEntryDto[] {
    return CATALOG.map((entry) => presentEntry(entry, kubernetes ?? null));
  }
}
