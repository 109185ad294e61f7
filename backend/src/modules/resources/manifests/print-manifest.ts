import { stringify, yamlValue } from '../../../core/yaml/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { hideSecrets } from '../hide-secrets.js';
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

/** As YAML for people, without the values of Secrets. */
export function manifestWithoutSecrets(object: KubernetesObject): string {
  return printManifest(hideSecrets(object));
}

/** Texts of one object each, as helm renders them, without the values of Secrets. Others stay as they are, to the byte. */
export function manifestsWithoutSecrets(texts: readonly string[]): string[] {
  return texts.map((text) => {
    if (!/\bkind["']?[ \t]*:[ \t]*["']?Secret\b/.test(text)) return text;
    try {
      const value = yamlValue(text, { version: '1.1' });
      if (isObject(value)) return stringify(hideSecrets(value), { lineWidth: 0 });
    } catch {
      // As below.
    }
    return '# An object that cannot be read, and may be a Secret.\n';
  });
}

function isObject(value: unknown): value is KubernetesObject {
  const { metadata } = (value ?? {}) as { metadata?: unknown };
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata);
}
