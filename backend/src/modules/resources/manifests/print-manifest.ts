import { stringify } from '../../../core/yaml/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { kubernetesYaml } from './kubernetes-yaml.js';

/**
 * An object as YAML for people: without the record of which manager set which field. Text that Kubernetes' own
 * parser, or another one of YAML 1.1, would take for something else, `yes`, `0644` or a time, is quoted.
 */
export function printManifest(object: KubernetesObject): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  return stringify(
    { apiVersion, kind, metadata: { ...metadata, managedFields: undefined }, ...rest },
    { ...kubernetesYaml, compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false },
  );
}
