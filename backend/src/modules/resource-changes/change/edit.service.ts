import { Injectable } from '@nestjs/common';
import { DomainError, type FieldProblem, hasCode, invalidInput } from '../../../core/errors/index.js';
import type { KubernetesObject, WrittenObject } from '../../../drivers/kubernetes/index.js';
import { ClusterResources, describeObject, isBroken, yaml } from '../../resources/index.js';
import { warningsOf } from './change-warnings.js';
import { ChangeJournal, type Changed } from './change-journal.js';
import { findTarget, presentReference, type ChangeTarget, type ObjectAddress } from './change-target.js';
import type { ReplacedResourceDto } from './change.dto.js';
import { restoreHiddenValues } from './stored-values.js';

@Injectable()
export class EditService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /**
   * Replaces an object after a dry run by the cluster.
   * @throws DomainError `invalid_input` if the YAML is not this object, `resource_conflict` with the current object,
   * `resource_refused`
   */
  async replace(address: ObjectAddress, text: string, dryRun: boolean): Promise<ReplacedResourceDto> {
    const target = await findTarget(this.resources, address);
    const sent = await parseSingleObject(text, target);
    const stored = await target.api.read(target.reference);
    const object = restoreHiddenValues(sent, stored);
    // Without a version in the YAML, the edit applies to the version of the diff.
    object.metadata.resourceVersion ??= stored.metadata.resourceVersion;
    const work = async (): Promise<Changed<ReplacedResourceDto>> => {
      const checked = await replaceObject(target, object, stored, true);
      const { before, after, changed } = await yaml.diffObjects(stored, checked.object);
      const write = changed && !dryRun;
      const written = write ? await replaceObject(target, object, stored, false) : undefined;
      const result: ReplacedResourceDto = {
        ...presentReference(target.type, target.reference),
        outcome: changed ? 'configured' : 'unchanged',
        before: before ?? '',
        after: written ? (await yaml.diffObjects(stored, written.object)).after : after,
        resource_version: written?.object.metadata.resourceVersion ?? stored.metadata.resourceVersion ?? '',
        warnings: [...warningsOf(target.reference), ...(written ?? checked).warnings],
        dry_run: dryRun,
      };
      return {
        result,
        message: write ? `Edited ${describeObject(target.type, target.reference)}.` : null,
        diff: result,
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      {
        kind: 'resource-edit',
        cluster: target.cluster,
        reference: target.reference,
        failure: `could not edit ${describeObject(target.type, target.reference)}`,
      },
      work,
    );
  }
}

/** @throws DomainError `invalid_input` unless the text is exactly the addressed object */
async function parseSingleObject(text: string, { type, reference }: ChangeTarget): Promise<KubernetesObject> {
  const found = await yaml.parseManifests(text);
  const [manifest] = found;
  const rejected = (...problems: Omit<FieldProblem, 'field'>[]): DomainError =>
    invalidInput(problems.map((problem) => ({ field: 'yaml', ...problem })));
  if (!manifest) throw rejected({ problem: 'contains no object' });
  if (found.length > 1) {
    throw rejected({
      problem: 'contains more than one object',
      hint: 'Use Apply for several documents. An edit accepts only the edited object.',
    });
  }
  if (isBroken(manifest)) throw rejected({ problem: `is invalid. ${manifest.problem.replace(/\.$/, '')}` });
  const { object } = manifest;
  const { name, namespace } = object.metadata;
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const identity: [field: string, given: string | undefined, own: string][] = [
    ['apiVersion', object.apiVersion, apiVersion],
    ['kind', object.kind, type.kind],
    ['metadata.name', name, reference.name],
    ['metadata.namespace', namespace ?? reference.namespace ?? undefined, reference.namespace ?? ''],
  ];
  const wrong = identity.filter(([, given, own]) => (given ?? '') !== own);
  if (wrong.length > 0) {
    throw rejected(
      ...wrong.map(([field, given, own]) => ({
        problem: `has ${field} ${JSON.stringify((given ?? '').slice(0, 100))}, but the edited object has ${JSON.stringify(own)}`,
        hint: 'An object cannot be renamed or moved. Use Apply to create another one.',
      })),
    );
  }
  return reference.namespace === null
    ? object
    : { ...object, metadata: { ...object.metadata, namespace: reference.namespace } };
}

/** Adds the current object to a conflict, so that the user can merge both changes. */
async function replaceObject(
  { api, reference }: ChangeTarget,
  object: KubernetesObject,
  stored: KubernetesObject,
  dryRun: boolean,
): Promise<WrittenObject> {
  try {
    return await api.replace(reference, object, { dryRun });
  } catch (error) {
    if (!hasCode(error, 'resource_conflict')) throw error;
    const current = dryRun ? stored : await api.read(reference).catch(() => stored);
    throw new DomainError(error.code, error.message, {
      resource_version: current.metadata.resourceVersion ?? '',
      yaml: await yaml.manifestWithoutSecrets(current),
    });
  }
}
