import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Returns, Fails } from '../../core/api/index.js';
import { AccessGuard } from '../../core/security/index.js';
import { CatalogueEntryDto, CatalogueQueryDto } from './addon.dto.js';
import { CATALOGUE } from './catalogue/catalogue.js';
import { presentEntry } from './catalogue/present-entry.js';

@ApiTags('addons')
@UseGuards(AccessGuard)
@Controller('addons')
export class CatalogueController {
  @Get()
  @ApiOperation({
    summary: 'The catalogue of addons',
    description: 'For a cluster that is yet to be made: what its creation takes as `addons`.',
  })
  @Returns(CatalogueEntryDto, { list: true })
  @Fails('invalid_input')
  catalogue(@Query() { kubernetes }: CatalogueQueryDto): CatalogueEntryDto[] {
    return CATALOGUE.map((entry) => presentEntry(entry, kubernetes ?? null));
  }
}
