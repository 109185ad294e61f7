import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseJson } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import type { ResourceApi } from '../../../drivers/kubernetes/index.js';
import type { ReleaseName } from '../../../drivers/package-manager/index.js';
import { ReleaseResources } from './release-resources.js';

/** A Secret holds at most 1 MB, which could expand to much more. */
const MAX_BYTES = 32_000_000;

/**
 * Names of the CRDs from the `crds/` folder of the chart, which helm does not remove. helm shows them nowhere: they are
 * in its record of the release. Empty if the record cannot be read.
 */
export async function keptCrds(
  open: () => Promise<ResourceApi>,
  { release, namespace, revision }: ReleaseName & { revision: number },
): Promise<string[]> {
  try {
    const api = await open();
    const name = `sh.helm.release.v1.${release}.v${revision}`;
    const { data } = await api.read({ group: '', version: 'v1', plural: 'secrets', namespace, name });
    const packed = decoded(decoded(isRecord(data) ? data['release'] : '').toString('latin1'));
    const record = parseJson(
      (await promisify(gunzip)(packed, { maxOutputLength: MAX_BYTES })).toString('utf8'),
    );
    const files = isRecord(record) && isRecord(record['chart']) ? record['chart']['files'] : [];
    const crds = (Array.isArray(files) ? (files as unknown[]) : [])
      .filter(isRecord)
      .filter((file) => /^crds\/.+\.ya?ml$/.test(String(file['name'])))
      .map((file) => decoded(file['data']).toString('utf8'));
    const { resources } = await (await ReleaseResources.open(api, namespace, crds.join('\n---\n'))).read();
    return resources.filter(({ present }) => present).map((resource) => resource.name);
  } catch {
    return [];
  }
}

function decoded(text: unknown): Buffer {
  return Buffer.from(String(text), 'base64');
}
