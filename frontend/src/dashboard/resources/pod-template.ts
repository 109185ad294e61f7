import type { DeploymentSpec } from 'kubernetes-types/apps/v1';
import type { CronJobSpec } from 'kubernetes-types/batch/v1';
import type { ResourceObjectDto } from '../../shared/api/api-types';
import type { Received } from '../resource-model/received';

export interface TemplateContainer {
  name: string;
  image: string;
  isInit: boolean;
}

/** The containers of the Pod template of a workload or CronJob, the main ones first; empty for other kinds. */
export function templateContainers({ spec }: Pick<ResourceObjectDto, 'spec'>): TemplateContainer[] {
  const own = (spec ?? {}) as Received<DeploymentSpec & CronJobSpec>;
  const { containers = [], initContainers = [] } =
    (own.template ?? own.jobTemplate?.spec?.template)?.spec ?? {};
  return [
    ...containers.map(({ name, image = '' }) => ({ name, image, isInit: false })),
    ...initContainers.map(({ name, image = '' }) => ({ name, image, isInit: true })),
  ];
}
