import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../../core/errors/index.js';
import type {
  KubernetesObject,
  ResourceApi,
  ResourceReference,
  ResourceType,
} from '../../../drivers/kubernetes/index.js';
import { warningsOf } from '../change/change-warnings.js';
import { ChangeJournal } from '../change/change-journal.js';
import { presentReference } from '../change/change-target.js';
import { describeObject, readableKind, pathOf } from '../change/object-names.js';
import { restoreHiddenValues } from '../change/stored-values.js';
import { ClusterResources } from '../cluster-resources.js';
import { isBroken, MAX_OBJECTS, type Manifest, type ParsedManifest } from '../manifests/parse-manifests.js';
import { presentGroup } from '../present-type.js';
import { referenceTo } from '../resource-parameters.js';
import { yaml } from '../resource-yaml.js';
import type { AppliedDocumentDto, AppliedDto } from './apply.dto.js';
import { applyOrder, orderNote } from './document-order.js';
import { ServedKinds } from './served-kinds.js';

export interface ApplyRequest {
  yaml: string;
  /** For documents that name none, of kinds that have namespaces. */
  namespace: string;
  dryRun: boolean;
  force: boolean;
}

type AppliedDocument = Pick<AppliedDocumentDto, keyof AppliedDocumentDto>;

/** What one document is applied with. */
interface Application {
  api: ResourceApi;
  kinds: ServedKinds;
  request: ApplyRequest;
  /** Namespaces that documents make, which a dry run does not. */
  namespaces: ReadonlySet<string>;
  /** Why documents failed, by their index. */
  failures: Map<number, DomainError>;
  /** Why the cluster does not answer any more: what is left need not wait for that again. */
  lost: DomainError | null;
}

/** Applies what was pasted or dropped, document by document. */
@Injectable()
export class ApplyService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /**
   * Server-side apply of each document. One that fails does not keep the others from being applied.
   * @throws DomainError `invalid_input` for a text without objects, or one of a cluster that cannot be asked
   */
  async apply(name: string, runtime: string | undefined, request: ApplyRequest): Promise<AppliedDto> {
    const parsed = await yaml.parseManifests(request.yaml);
    assertUsable(parsed);
    const { cluster, api } = await this.resources.open(name, runtime);
    const run = async (): Promise<AppliedDto> => await applyAll(api, parsed, request);
    if (request.dryRun) return await run();
    const what = parsed.length > 1 ? `${parsed.length} documents` : 'a document';
    return await this.journal.during(
      { kind: 'resource-apply', cluster, reference: null, failure: `${what} could not be applied` },
      async () => {
        const result = await run();
        const failed = result.documents.some(({ outcome }) => outcome === 'failed');
        return { result, message: summaryOf(result.documents), failed };
      },
    );
  }
}

async function applyAll(
  api: ResourceApi,
  parsed: readonly ParsedManifest[],
  request: ApplyRequest,
): Promise<AppliedDto> {
  const manifests = parsed.filter((manifest): manifest is Manifest => !isBroken(manifest));
  const ordered = applyOrder(manifests);
  const application: Application = {
    api,
    failures: new Map(),
    lost: null,
    request,
    kinds: new ServedKinds(
      api,
      manifests.map(({ object }) => object),
      request.dryRun,
    ),
    namespaces: new Set(
      manifests.flatMap(({ object }) => (object.kind === 'Namespace' ? [object.metadata.name] : [])),
    ),
  };
  const applied = new Map<number, AppliedDocument>();
  for (const manifest of ordered) applied.set(manifest.index, await applyOne(manifest, application));
  await describeFailures(applied, application);
  const note = orderNote(manifests, ordered);
  return {
    dry_run: request.dryRun,
    notes: note === null ? [] : [note],
    documents: parsed.flatMap((manifest) =>
      isBroken(manifest) ? [presentBroken(manifest)] : (applied.get(manifest.index) ?? []),
    ),
  };
}

async function applyOne(manifest: Manifest, application: Application): Promise<AppliedDocument> {
  const { object } = manifest;
  const names = namesOf(manifest);
  let document: AppliedDocument = {
    ...names,
    outcome: 'failed',
    before: null,
    after: null,
    warnings: [],
    error: null,
  };
  try {
    if (application.lost) throw application.lost;
    const { type, served } = await application.kinds.find(object);
    const reference = referenceTo(
      type,
      object.metadata.name,
      object.metadata.namespace ?? application.request.namespace,
    );
    document = { ...document, ...presentReference(type, reference) };
    if (!served) return { ...document, ...(await expected(object, notYetServed(type))) };
    return { ...document, ...(await write(object, type, reference, application)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'cluster_unreachable') application.lost = error;
    application.failures.set(manifest.index, error);
    return document;
  }
}

type Written = Pick<AppliedDocumentDto, 'outcome' | 'before' | 'after' | 'warnings'>;

async function write(
  object: KubernetesObject,
  type: ResourceType,
  reference: ResourceReference,
  { api, request: { dryRun, force }, namespaces }: Application,
): Promise<Written> {
  const stored = await readOrNull(api, reference);
  const placed =
    reference.namespace === null
      ? withoutNamespace(object)
      : { ...object, metadata: { ...object.metadata, namespace: reference.namespace } };
  const sent = withoutServerFields(restoreHiddenValues(placed, stored));
  try {
    const { object: after, warnings } = await api.apply(reference, sent, { dryRun, force });
    const difference = await yaml.diffObjects(stored, after);
    const said = [
      ...(object.metadata.namespace !== undefined && reference.namespace === null
        ? [`A ${readableKind(type.kind)} is in no namespace: the one that it names was left out.`]
        : []),
      ...warningsOf(reference),
      ...warnings,
    ];
    return {
      outcome: stored === null ? 'created' : difference.changed ? 'configured' : 'unchanged',
      before: difference.before,
      after: difference.after,
      warnings: said,
    };
  } catch (error) {
    const inNew = reference.namespace !== null && namespaces.has(reference.namespace);
    const isMissing = error instanceof DomainError && error.code === 'resource_not_found';
    if (dryRun && inNew && isMissing) {
      return await expected(
        sent,
        `Its namespace ${reference.namespace} is not there yet, so the cluster could not check it.`,
      );
    }
    throw error;
  }
}

/** What a dry run cannot try, because what it needs is only made by the same text. */
async function expected(object: KubernetesObject, warning: string): Promise<Written> {
  return { outcome: 'created', ...(await yaml.diffObjects(null, object)), warnings: [warning] };
}

function notYetServed({ kind, group }: ResourceType): string {
  return `The kind ${kind} of ${group} is defined by this text and not served yet, so the cluster could not check it.`;
}

async function readOrNull(api: ResourceApi, reference: ResourceReference): Promise<KubernetesObject | null> {
  try {
    return await api.read(reference);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'resource_not_found') return null;
    throw error;
  }
}

/** What was exported comes with what its old cluster counted: none of that can be applied. */
function withoutServerFields(object: KubernetesObject): KubernetesObject {
  const { name, namespace, labels, annotations, ownerReferences, finalizers } = object.metadata;
  const kept = { namespace, labels, annotations, ownerReferences, finalizers };
  const given = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  const sent: KubernetesObject = { ...object, metadata: { name, ...given } };
  delete sent['status'];
  return sent;
}

function withoutNamespace(object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace: undefined } };
}

function namesOf({
  index,
  line,
  object,
}: Manifest): Pick<
  AppliedDocumentDto,
  'index' | 'line' | 'group' | 'version' | 'plural' | 'kind' | 'namespace' | 'name'
> {
  const [first = '', second] = object.apiVersion.split('/');
  return {
    index,
    line,
    group: presentGroup(second === undefined ? '' : first),
    version: second ?? first,
    plural: null,
    kind: object.kind,
    namespace: object.metadata.namespace ?? null,
    name: object.metadata.name,
  };
}

function presentBroken({
  index,
  line,
  problem,
  kind,
  name,
}: Extract<ParsedManifest, { problem: string }>): AppliedDocument {
  return {
    index,
    line,
    group: null,
    version: null,
    plural: null,
    kind,
    namespace: null,
    name,
    outcome: 'failed',
    before: null,
    after: null,
    warnings: [],
    error: { code: 'invalid_input', message: problem },
  };
}

/** Names each failed document with its line, that of the field which the cluster complains of where it can be found. */
async function describeFailures(
  applied: Map<number, AppliedDocument>,
  { failures, request }: Application,
): Promise<void> {
  if (failures.size === 0) return;
  const wanted = [...failures].map(([index, error]) => ({ index, fields: fieldsIn(error) }));
  const lines = await yaml.findFieldLines(request.yaml, wanted);
  for (const [index, { code, message }] of failures) {
    const document = applied.get(index);
    if (!document) continue;
    const where = `Document ${index}, line ${lines.get(index) ?? document.line}`;
    applied.set(index, { ...document, error: { code, message: `${where}: ${message}` } });
  }
}

/** What looks like the path of a field, in what the cluster says. */
function fieldsIn({ details, message }: DomainError): string[] {
  const named = (Array.isArray(details) ? (details as { field?: string }[]) : []).map(({ field }) => field);
  const written = [
    ...message.matchAll(/\.?[a-z][A-Za-z0-9]*(?:\[\d+\])?(?:\.[A-Za-z0-9-]+(?:\[\d+\])?)+/g),
  ].map(([path]) => path);
  return [...named, ...written].flatMap((field) => (field === undefined ? [] : field.replace(/^\./, '')));
}

function assertUsable(parsed: readonly ParsedManifest[]): void {
  if (parsed.length === 0) throw invalidInput([{ field: 'yaml', problem: 'holds no object' }]);
  if (parsed.length > MAX_OBJECTS) {
    throw invalidInput([
      { field: 'yaml', problem: `holds more than ${MAX_OBJECTS} objects; apply it in parts` },
    ]);
  }
}

/** "2 created, 1 configured; config map shop/settings failed: …" */
function summaryOf(documents: readonly AppliedDocumentDto[]): string | null {
  const counts = (['created', 'configured', 'unchanged', 'failed'] as const).flatMap((outcome) => {
    const count = documents.filter((document) => document.outcome === outcome).length;
    return count > 0 ? [`${count} ${outcome}`] : [];
  });
  if (documents.every(({ outcome }) => outcome === 'unchanged')) return null;
  const [only, second] = documents;
  if (only && !second && only.outcome !== 'failed' && only.kind !== null && only.name !== null) {
    return `${describeObject({ kind: only.kind }, { namespace: only.namespace, name: only.name })} was applied: ${only.outcome}.`;
  }
  const changed = documents
    .filter(({ outcome }) => outcome === 'created' || outcome === 'configured')
    .slice(0, 5)
    .map(
      ({ kind, namespace, name }) =>
        `${readableKind(kind ?? 'object')} ${pathOf({ namespace, name: name ?? '' })}`,
    );
  const failed = documents.find(({ error }) => error !== null);
  // What could not be read may be anything, also a password.
  const failure =
    failed?.error?.code === 'invalid_input'
      ? `Document ${failed.index}, line ${failed.line}, is not what can be applied.`
      : failed?.error?.message;
  return [
    `${documents.length} ${documents.length === 1 ? 'document was' : 'documents were'} applied: ${counts.join(', ')}.`,
    ...(changed.length > 0 ? [`Changed: ${changed.join(', ')}.`] : []),
    ...(failure === undefined ? [] : [failure]),
  ].join(' ');
}
