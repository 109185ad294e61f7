import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput, type FieldProblem } from '../../../core/errors/index.js';
import type { KubernetesObject, WrittenObject } from '../../../drivers/kubernetes/index.js';
import { isBroken } from '../manifests/parse-manifests.js';
import { yaml } from '../resource-yaml.js';
import { warningsOf } from './change-warnings.js';
import { ChangeJournal } from './change-journal.js';
import { ChangeTargets, presentReference, type ChangeTarget, type ObjectAddress } from './change-target.js';
import type { ReplacedResourceDto } from './change.dto.js';
import { describeObject } from './object-names.js';
import { restoreHiddenValues } from './stored-values.js';

/** Changes an object by its whole YAML. */
@Injectable()
export class EditService {
  constructor(
    private readonly targets: ChangeTargets,
    private readonly journal: ChangeJournal,
  ) {}

  /**
   * Replaces an object with what was sent, after the cluster has checked it in a dry run.
   * @throws DomainError `invalid_input` for what is not this object, `resource_conflict` with the object as it is now,
   * `resource_refused`
   */
  async replace(address: ObjectAddress, text: string, dryRun: boolean): Promise<ReplacedResourceDto> {
    const target = await this.targets.find(address);
    const sent = await parseSingleObject(text, target);
    const stored = await target.api.read(target.reference);
    const object = restoreHiddenValues(sent, stored);
    // Where nobody says from which version the edit comes, it is from the one whose difference is told.
    object.metadata.resourceVersion ??= stored.metadata.resourceVersion;
    const work = async (): Promise<{ result: ReplacedResourceDto; message: string | null }> => {
      const tried = await replaceObject(target, object, stored, true);
      const { before, after, changed } = await yaml.diffObjects(stored, tried.object);
      const write = changed && !dryRun;
      const written = write ? await replaceObject(target, object, stored, false) : undefined;
      return {
        result: {
          ...presentReference(target.type, target.reference),
          outcome: changed ? 'configured' : 'unchanged',
          before: before ?? '',
          after: written ? (await yaml.diffObjects(stored, written.object)).after : after,
          resource_version: written?.object.metadata.resourceVersion ?? stored.metadata.resourceVersion ?? '',
          warnings: [...warningsOf(target.reference), ...(written ?? tried).warnings],
          dry_run: dryRun,
        },
        message: write ? `${describeObject(target.type, target.reference)} was edited.` : null,
      };
    };
    if (dryRun) return (await work()).result;
    return await this.journal.during(
      {
        kind: 'resource-edit',
        cluster: target.cluster,
        reference: target.reference,
        failure: `${describeObject(target.type, target.reference)} was not edited`,
      },
      work,
    );
  }
}

/** The one object of a text. @throws DomainError `invalid_input` where it is not the one that is addressed */
async function parseSingleObject(text: string, { type, reference }: ChangeTarget): Promise<KubernetesObject> {
  const found = await yaml.parseManifests(text);
  const [manifest] = found;
  const refuse = (...problems: Omit<FieldProblem, 'field'>[]): DomainError =>
    invalidInput(problems.map((problem) => ({ field: 'yaml', ...problem })));
  if (!manifest) throw refuse({ problem: 'holds no object' });
  if (found.length > 1) {
    throw refuse({
      problem: 'holds more than one object',
      hint: 'Apply takes many documents; an edit takes the one object that is edited.',
    });
  }
  if (isBroken(manifest)) throw refuse({ problem: `cannot be read. ${manifest.problem.replace(/\.$/, '')}` });
  const { object } = manifest;
  const { name, namespace } = object.metadata;
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
  const wanted: [field: string, given: string | undefined, own: string][] = [
    ['apiVersion', object.apiVersion, apiVersion],
    ['kind', object.kind, type.kind],
    ['metadata.name', name, reference.name],
    ['metadata.namespace', namespace ?? reference.namespace ?? undefined, reference.namespace ?? ''],
  ];
  const wrong = wanted.filter(([, given, own]) => (given ?? '') !== own);
  if (wrong.length > 0) {
    throw refuse(
      ...wrong.map(([field, given, own]) => ({
        problem: `says ${field} ${JSON.stringify((given ?? '').slice(0, 100))}, and what is edited has ${JSON.stringify(own)}`,
        hint: 'An object cannot be renamed or moved. Apply makes another one.',
      })),
    );
  }
  return reference.namespace === null
    ? object
    : { ...object, metadata: { ...object.metadata, namespace: reference.namespace } };
}

/** A conflict tells how the object is now, so that nothing of either change is lost. */
async function replaceObject(
  { api, reference }: ChangeTarget,
  object: KubernetesObject,
  stored: KubernetesObject,
  dryRun: boolean,
): Promise<WrittenObject> {
  try {
    return await api.replace(reference, object, { dryRun });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'resource_conflict') throw error;
    const now = dryRun ? stored : await api.read(reference).catch(() => stored);
    throw new DomainError(error.code, error.message, {
      resource_version: now.metadata.resourceVersion ?? '',
      yaml: await yaml.manifestWithoutSecrets(now),
    });
  }
}
