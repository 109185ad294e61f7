import { Injectable } from '@nestjs/common';
import { DomainError, hasCode, invalidField } from '../../../core/errors/index.js';
import { counted, recordOf } from '../../../core/values/index.js';
import {
  groupVersion,
  nullIfGone,
  type KubernetesObject,
  type ResourceApi,
  type ResourceReference,
  type ResourceType,
} from '../../../drivers/kubernetes/index.js';
import { warningsOf } from '../change/change-warnings.js';
import type { ChangedText } from '../../journal/index.js';
import { ChangeJournal } from '../change/change-journal.js';
import { presentReference } from '../change/change-target.js';
import {
  ClusterResources,
  describeObject,
  isBroken,
  type Manifest,
  MAX_OBJECTS,
  type ParsedManifest,
  pathOf,
  presentGroup,
  readableKind,
  referenceTo,
  yaml,
} from '../../resources/index.js';
import { restoreHiddenValues } from '../change/stored-values.js';
import type { AppliedDocumentDto, AppliedDto } from './apply.dto.js';
import { applyOrder, orderNote } from './document-order.js';
import { ServedKinds } from './served-kinds.js';

export interface ApplyRequest {
  yaml: string;
  /** For namespaced objects without a namespace. */
  namespace: string;
  dryRun: boolean;
  force: boolean;
}

type AppliedDocument = Pick<AppliedDocumentDto, keyof AppliedDocumentDto>;

interface ApplyContext {
  api: ResourceApi;
  kinds: ServedKinds;
  request: ApplyRequest;
  /** Namespaces that the request creates, which do not exist in a dry run. */
  namespaces: ReadonlySet<string>;
  failures: Map<number, DomainError>;
  /** Set once the cluster is unreachable, so that the other documents do not wait for a timeout. */
  unreachable: DomainError | null;
}

@Injectable()
export class ApplyService {
  constructor(
    private readonly resources: ClusterResources,
    private readonly journal: ChangeJournal,
  ) {}

  /**
   * Applies each document; failures are independent.
   * @throws DomainError `invalid_input` for a text without objects, or an error of the cluster
   */
  async apply(name: string, runtime: string | undefined, request: ApplyRequest): Promise<AppliedDto> {
    const parsed = await yaml.parseManifests(request.yaml);
    assertUsable(parsed);
    const { cluster, api } = await this.resources.open(name, runtime);
    const run = async (): Promise<AppliedDto> => await applyAll(api, parsed, request);
    if (request.dryRun) return await run();
    const what = parsed.length > 1 ? `${parsed.length} documents` : 'a document';
    return await this.journal.during(
      { kind: 'resource-apply', cluster, reference: null, failure: `could not apply ${what}` },
      async () => {
        const result = await run();
        const failed = result.documents.some(({ outcome }) => outcome === 'failed');
        return { result, message: summaryOf(result.documents), failed, diff: diffOf(result.documents) };
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
  const context: ApplyContext = {
    api,
    failures: new Map(),
    unreachable: null,
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
  for (const manifest of ordered) applied.set(manifest.index, await applyOne(manifest, context));
  await describeFailures(applied, context);
  const note = orderNote(manifests, ordered);
  return {
    dry_run: request.dryRun,
    notes: note === null ? [] : [note],
    documents: parsed.flatMap((manifest) =>
      isBroken(manifest) ? [presentBroken(manifest)] : (applied.get(manifest.index) ?? []),
    ),
  };
}

async function applyOne(manifest: Manifest, context: ApplyContext): Promise<AppliedDocument> {
  const { object } = manifest;
  const names = namesOf(manifest);
  let document: AppliedDocument = {
    ...names,
    outcome: 'failed',
    before: null,
    after: null,
    warnings: [],
    error: null,
    error_line: null,
  };
  try {
    if (context.unreachable) throw context.unreachable;
    const { type, served } = await context.kinds.find(object);
    const reference = referenceTo(
      type,
      object.metadata.name,
      object.metadata.namespace ?? context.request.namespace,
    );
    document = { ...document, ...presentReference(type, reference) };
    if (!served) return { ...document, ...(await untested(object, notYetServed(type))) };
    return { ...document, ...(await write(object, type, reference, context)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'cluster_unreachable') context.unreachable = error;
    context.failures.set(manifest.index, error);
    return document;
  }
}

type Written = Pick<AppliedDocumentDto, 'outcome' | 'before' | 'after' | 'warnings'>;

async function write(
  object: KubernetesObject,
  type: ResourceType,
  reference: ResourceReference,
  { api, request: { dryRun, force }, namespaces }: ApplyContext,
): Promise<Written> {
  const stored = await api.read(reference).catch(nullIfGone);
  const namespaced =
    reference.namespace === null
      ? withoutNamespace(object)
      : { ...object, metadata: { ...object.metadata, namespace: reference.namespace } };
  const sent = withoutServerFields(restoreHiddenValues(namespaced, stored));
  try {
    const { object: after, warnings } = await api.apply(reference, sent, { dryRun, force });
    const diff = await yaml.diffObjects(stored, after);
    const allWarnings = [
      ...(object.metadata.namespace !== undefined && reference.namespace === null
        ? [`A ${readableKind(type.kind)} is cluster-scoped. Its metadata.namespace was ignored.`]
        : []),
      ...warningsOf(reference),
      ...warnings,
    ];
    return {
      outcome: stored === null ? 'created' : diff.changed ? 'configured' : 'unchanged',
      before: diff.before,
      after: diff.after,
      warnings: allWarnings,
    };
  } catch (error) {
    const inNew = reference.namespace !== null && namespaces.has(reference.namespace);
    const isMissing = hasCode(error, 'resource_not_found');
    if (dryRun && inNew && isMissing) {
      return await untested(
        sent,
        `The cluster could not validate it, because the namespace ${reference.namespace} does not exist yet.`,
      );
    }
    throw error;
  }
}

/** For dry runs of objects that depend on others in the same request. */
async function untested(object: KubernetesObject, warning: string): Promise<Written> {
  return { outcome: 'created', ...(await yaml.diffObjects(null, object)), warnings: [warning] };
}

function notYetServed({ kind, group }: ResourceType): string {
  return `The cluster could not validate it, because the CRD of ${kind} (${group}) is part of this request.`;
}

/** Removes fields that exported objects have and that cannot be applied. */
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
  const { group, version } = groupVersion(object.apiVersion);
  return {
    index,
    line,
    group: presentGroup(group),
    version,
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
    error_line: line,
  };
}

/** Adds document and line to each error: the line of the field in the error, if it can be found. */
async function describeFailures(
  applied: Map<number, AppliedDocument>,
  { failures, request }: ApplyContext,
): Promise<void> {
  if (failures.size === 0) return;
  const fields = [...failures].map(([index, error]) => ({ index, fields: fieldsIn(error) }));
  const lines = await yaml.findFieldLines(request.yaml, fields);
  for (const [index, { code, message }] of failures) {
    const document = applied.get(index);
    if (!document) continue;
    const line = lines.get(index) ?? null;
    const where = `Document ${index}, line ${line ?? document.line}`;
    applied.set(index, { ...document, error: { code, message: `${where}: ${message}` }, error_line: line });
  }
}

/** Characters of an error in which field paths are searched. */
const MAX_MESSAGE = 8192;

/** Field paths in an error of the API server. */
function fieldsIn({ details, message }: DomainError): string[] {
  const { conflicts } = (details ?? {}) as { conflicts?: unknown };
  const causes = Array.isArray(details) ? details : Array.isArray(conflicts) ? conflicts : [];
  const named = causes.map((cause) => recordOf(cause)['field']).filter((field) => typeof field === 'string');
  const written = [
    ...message
      .slice(0, MAX_MESSAGE)
      .matchAll(/(?<![A-Za-z0-9-])[a-z][A-Za-z0-9]*(?:\[\d+\])?(?:\.[A-Za-z0-9-]+(?:\[\d+\])?)+/g),
  ].map(([path]) => path);
  return [...named, ...written].map((field) => field.replace(/^\./, ''));
}

function assertUsable(parsed: readonly ParsedManifest[]): void {
  if (parsed.length === 0) throw invalidField('yaml', 'contains no object');
  if (parsed.length > MAX_OBJECTS) {
    throw invalidField('yaml', `contains more than ${MAX_OBJECTS} objects. Apply it in parts`);
  }
}

/** The changed objects one after another; undefined if nothing changed. */
function diffOf(documents: readonly AppliedDocumentDto[]): ChangedText | undefined {
  const changed = documents.filter(({ outcome }) => outcome === 'created' || outcome === 'configured');
  if (changed.length === 0) return undefined;
  const existed = changed.some(({ before }) => before !== null);
  return {
    before: existed ? changed.map(({ before }) => before ?? '').join('---\n') : null,
    after: changed.map(({ after }) => after ?? '').join('---\n'),
  };
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
    return `Applied ${describeObject({ kind: only.kind }, { namespace: only.namespace, name: only.name })}: ${only.outcome}.`;
  }
  const changed = documents
    .filter(({ outcome }) => outcome === 'created' || outcome === 'configured')
    .slice(0, 5)
    .map(
      ({ kind, namespace, name }) =>
        `${readableKind(kind ?? 'object')} ${pathOf({ namespace, name: name ?? '' })}`,
    );
  const failed = documents.find(({ error }) => error !== null);
  // Invalid text may contain a password.
  const failure =
    failed?.error?.code === 'invalid_input'
      ? `Document ${failed.index} (line ${failed.line}) is invalid.`
      : failed?.error?.message;
  return [
    `Applied ${counted(documents.length, 'document')}: ${counts.join(', ')}.`,
    ...(changed.length > 0 ? [`Changed: ${changed.join(', ')}.`] : []),
    ...(failure === undefined ? [] : [failure]),
  ].join(' ');
}
