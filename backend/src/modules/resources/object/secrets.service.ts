import { isUtf8 } from 'node:buffer';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import { recordOf } from '../../../core/values/index.js';
import { JournalService } from '../../journal/index.js';
import { pathOf, subjectOf } from './object-names.js';
import type { OpenCluster } from '../common/cluster-resources.js';
import { ObjectsService } from './objects.service.js';
import type { RevealedValueDto } from './secret.dto.js';

@Injectable()
export class SecretsService {
  constructor(
    private readonly objects: ObjectsService,
    private readonly journal: JournalService,
  ) {}

  /** @throws DomainError `resource_not_found` if the Secret or the key does not exist */
  async reveal(
    { cluster, api }: OpenCluster,
    { object, namespace, key }: { object: string; namespace: string | undefined; key: string },
  ): Promise<RevealedValueDto> {
    const secrets = { group: '', version: 'v1', plural: 'secrets' };
    const found = await this.objects.find(api, secrets, object, namespace);
    const what = pathOf(found.reference);
    const values = recordOf(found.object['data']);
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (typeof value !== 'string') {
      throw new DomainError('resource_not_found', `Secret ${what} has no key ${key}.`);
    }
    // First, so that a value that cannot be recorded is not revealed.
    this.journal.record({
      kind: 'secret-reveal',
      cluster: cluster.name,
      runtime: cluster.runtime,
      subject: subjectOf(found.reference),
      message: `Revealed the value of ${key} in Secret ${what}.`,
    });
    const bytes = Buffer.from(value, 'base64');
    return isUtf8(bytes)
      ? { key, value: bytes.toString('utf8'), encoding: 'text' }
      : { key, value, encoding: 'base64' };
  }
}
