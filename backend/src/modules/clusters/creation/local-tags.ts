import { DomainError, hasCode } from '../../../core/errors/index.js';
import { needsCgroupV2 } from '../../../core/security/index.js';
import type { RuntimeDriver } from '../../../drivers/runtime/index.js';
import { nodeImageTagOf } from '../../kind-config/index.js';

/** Adds to the error of a pull which node images are on the host. */
export async function withLocalTags(error: unknown, image: string, runtime: RuntimeDriver): Promise<unknown> {
  if (!hasCode(error, 'image_not_pulled') || nodeImageTagOf(image) === null) return error;
  const [name = ''] = image.split('@');
  const repository = name.slice(0, name.lastIndexOf(':'));
  const local = await runtime.listImages(repository).catch(() => []);
  const isOnV1 = runtime.info().capabilities.cgroupVersion === 1;
  const tags = local
    .map(({ reference }) => nodeImageTagOf(reference))
    .filter((tag) => tag !== null && !(isOnV1 && needsCgroupV2(tag)));
  if (tags.length === 0) return error;
  const use = tags.length === 1 ? 'is on this host: use it' : 'are on this host: use one of them';
  return new DomainError(error.code, `${error.message} ${tags.join(', ')} ${use}.`, undefined, {
    cause: error,
  });
}
