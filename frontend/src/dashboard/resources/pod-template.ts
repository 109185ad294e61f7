import type { ResourceObjectDto } from '../../shared/api/api-types';

export interface TemplateContainer {
  name: string;
  image: string;
  isInit: boolean;
}

interface PodTemplate {
  spec?: Partial<Record<'containers' | 'initContainers', { name: string; image?: string }[]>>;
}

/** The containers of the Pod template of a workload or CronJob, the main ones first; empty for other kinds. */
export function templateContainers({ spec }: Pick<ResourceObjectDto, 'spec'>): TemplateContainer[] {
  const own = (spec ?? {}) as { template?: PodTemplate; jobTemplate?: { spec?: { template?: PodTemplate } } };
  const { containers = [], initContainers = [] } =
    (own.template ?? own.jobTemplate?.spec?.template)?.spec ?? {};
  return [
    ...containers.map(({ name, image = '' }) => ({ name, image, isInit: false })),
    ...initContainers.map(({ name, image = '' }) => ({ name, image, isInit: true })),
  ];
}
