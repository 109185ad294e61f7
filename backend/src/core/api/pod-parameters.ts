import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ApiClusterName } from './cluster-parameters.js';

/** Parameters of the path of a Pod. */
export interface PodParameters {
  name: string;
  namespace: string;
  pod: string;
}

export function ApiPod(): MethodDecorator {
  return applyDecorators(
    ApiClusterName(),
    ApiParam({ name: 'namespace', example: 'shop' }),
    ApiParam({ name: 'pod', description: 'Name of the pod', example: 'web-6d4cf56db6-x2x7k' }),
  );
}
