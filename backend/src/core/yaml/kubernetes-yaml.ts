import { type Tags } from 'yaml';
import { exactInteger } from '../parsing/index.js';
import { exactGoInteger } from './go-scalar.js';

/** YAML 1.1 types that Kubernetes' parser reads as text, such as `2001-12-14` and `80:80`. */
const NOT_KUBERNETES = new Set([
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',
  'tag:yaml.org,2002:timestamp',
]);
const INTEGER = 'tag:yaml.org,2002:int';
const FLOAT = 'tag:yaml.org,2002:float';
const LEAST = -(2n ** 63n);
const MOST = 2n ** 64n - 1n;

/**
 * YAML as Kubernetes and helm read it (`resolve.go` of go-yaml v2): 1.1, where `0644` is octal and `yes` is true, plus `0o644`
 * of YAML 1.2. Integers of 64 bits keep their digits; longer ones are floats, and a float beyond a double is text.
 */
export const kubernetesYaml = {
  version: '1.1',
  schema: 'yaml-1.1',
  customTags: (tags: Tags): Tags => [
    {
      tag: INTEGER,
      default: true,
      identify: () => false,
      test: /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO]?[0-7_]*|[1-9][0-9_]*)$/,
      resolve: integerOf,
    },
    {
      tag: FLOAT,
      default: true,
      identify: () => false,
      test: /^[-+]?(?:\.[0-9]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9_]+)?$/,
      resolve: floatOf,
    },
    ...tags
      .filter((tag) => typeof tag === 'string' || !(NOT_KUBERNETES.has(tag.tag) || tag.format === 'TIME'))
      .map((tag) => {
        if (typeof tag === 'string' || tag.collection !== undefined) return tag;
        // Those of the library print numbers. Of what they read, only infinities and `.nan` are left.
        const isNumber = tag.tag === INTEGER || (tag.tag === FLOAT && !tag.test?.test('.nan'));
        if (!isNumber) return tag;
        return { ...tag, test: undefined, resolve: tag.tag === INTEGER ? integerOf : floatOf };
      }),
  ],
} as const;

function integerOf(text: string): number | bigint | string {
  const value = exactGoInteger(text);
  // Such as `0x_`.
  if (value === undefined) return text;
  if (value >= LEAST && value <= MOST) return exactInteger(value.toString());
  return /[xob]/i.test(text) ? text : floatOf(text);
}

function floatOf(text: string): number | string {
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? value : text;
}
