import { isRecord } from '../../../core/values/index.js';
import { kubernetesYaml, stringify, yamlValue } from '../../../core/yaml/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { hideSecrets } from './hide-secrets.js';

/** YAML without managedFields. Text that a YAML 1.1 parser would not read as text, such as `yes` or `0644`, is quoted. */
export function printManifest(object: KubernetesObject): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  return printPart({ apiVersion, kind, metadata: { ...metadata, managedFields: undefined }, ...rest });
}

/** A part of an object, such as its Pod template, in the same style. */
export function printPart(part: object): string {
  return stringify(part, { lineWidth: 0, aliasDuplicateObjects: false });
}

export function manifestWithoutSecrets(object: KubernetesObject): string {
  return printManifest(hideSecrets(object));
}

/** Hides values of Secrets in manifests of one object each, as helm renders them. Other manifests are not changed. */
export function manifestsWithoutSecrets(texts: readonly string[]): string[] {
  return texts.map((text) => {
    if (!/\bkind["']?[ \t]*:[ \t]*["']?Secret\b/.test(text)) return text;
    try {
      const value = yamlValue(text, kubernetesYaml);
      if (isObject(value)) return stringify(hideSecrets(value), { lineWidth: 0 });
    } catch {
      // Handled below.
    }
    return '# Hidden: this object cannot be parsed and may be a Secret.\n';
  });
}

function isObject(value: unknown): value is KubernetesObject {
  return isRecord(value) && isRecord(value['metadata']);
}
