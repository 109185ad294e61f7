import { exactInteger } from '../../../core/parsing/index.js';
import type { Tags } from '../../../core/yaml/index.js';

/** YAML 1.1 types that Kubernetes' parser reads as text, such as `2001-12-14` and `80:80`. */
const NOT_KUBERNETES = new Set([
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',
  'tag:yaml.org,2002:timestamp',
]);

/** YAML as Kubernetes reads it: 1.1, where `0644` is octal and `yes` is true, plus `0o644` of YAML 1.2. */
export const kubernetesYaml = {
  version: '1.1',
  schema: 'yaml-1.1',
  customTags: (tags: Tags): Tags => [
    {
      tag: 'tag:yaml.org,2002:int',
      default: true,
      identify: () => false,
      // Integers that a double could round, of 64 bits.
      test: /^[-+]?[1-9][0-9_]{15,26}$/,
      resolve: (text: string) => exactInteger(text.replaceAll(/[+_]/g, '')),
    },
    ...tags.filter(
      (tag) => typeof tag === 'string' || (!NOT_KUBERNETES.has(tag.tag) && tag.format !== 'TIME'),
    ),
    {
      tag: 'tag:yaml.org,2002:int',
      default: true,
      identify: () => false,
      format: 'OCT12',
      test: /^[-+]?0o[0-7]+$/,
      resolve: (text: string) => Number.parseInt(text.replace('0o', ''), 8),
    },
  ],
} as const;
