import type { ResourceType } from '../../../drivers/kubernetes/index.js';
import type { ResourceTypeDto } from './resource.dto.js';
import { CORE_GROUP } from './resource-parameters.js';

export function presentType(type: ResourceType): ResourceTypeDto {
  return {
    group: presentGroup(type.group),
    version: type.version,
    plural: type.plural,
    kind: type.kind,
    namespaced: type.namespaced,
    verbs: type.verbs,
    short_names: type.shortNames,
    custom: type.custom,
  };
}

export function presentGroup(group: string): string {
  return group === '' ? CORE_GROUP : group;
}
