import { Body, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation } from '@nestjs/swagger';
import { Fails, Returns } from '../../../core/api/index.js';
import { DryRunScope, GuardedController } from '../../../core/security/index.js';
import { CHANGE_FAILURES } from '../change/change-failures.js';
import { addressOf, type AddressParameters } from '../change/change-target.js';
import { ChangeQueryDto } from '../change/change.dto.js';
import { ApiResourceObject } from '../../resources/index.js';
import { ChangedImagesDto, ChangeImagesDto } from './image.dto.js';
import { ImageService } from './image.service.js';

const examples = {
  one: {
    summary: 'The image of one container',
    value: { images: [{ container: 'web', image: 'shop/web:1.5.0' }] },
  },
  pulled: {
    summary: 'An image that the nodes can pull',
    value: { images: [{ container: 'web', image: 'nginx:1.29' }], accept_missing: true },
  },
};

@GuardedController('resources', 'clusters/:name/resources/:group/:version/:plural/:object/image')
export class ImageController {
  constructor(private readonly images: ImageService) {}

  @Post()
  @HttpCode(200)
  @DryRunScope('query')
  @ApiOperation({
    summary: 'Change images of a Deployment, StatefulSet, DaemonSet or CronJob',
    description:
      'Compares the images with those of the nodes, changes them after a dry run by the cluster, and returns the diff. If no node has an image, the request fails with `confirmation_required` unless `accept_missing` is set. `dry_run=true` returns only the diff.',
  })
  @ApiResourceObject()
  @ApiBody({ type: ChangeImagesDto, examples })
  @Returns(ChangedImagesDto)
  @Fails(...CHANGE_FAILURES, 'confirmation_required', 'runtime_unavailable')
  change(
    @Param() parameters: AddressParameters,
    @Query() { dry_run = false, ...query }: ChangeQueryDto,
    @Body() request: ChangeImagesDto,
  ): Promise<ChangedImagesDto> {
    return this.images.change(addressOf(parameters, query), request, dry_run);
  }
}
