export { ClusterResources, unavailableError } from './common/cluster-resources.js';
export { OBJECT_FAILURES, OPEN_FAILURES } from './common/open-failures.js';
export { presentGroup } from './common/present-type.js';
export {
  ApiResourceObject,
  ApiResourceType,
  CORE_GROUP,
  MAX_NAMESPACES,
  NamespaceQueryDto,
  referenceTo,
  typeName,
} from './common/resource-parameters.js';
export type { ObjectParameters, TypeParameters } from './common/resource-parameters.js';
export { BlockErrorDto, ObjectReferenceDto, ResourceReferenceDto } from './common/resource.dto.js';
export type { ResourceTableDto, ResourceTypeDto } from './common/resource.dto.js';
export type { ResourceObjectDto } from './common/object.dto.js';
export { HIDDEN_VALUE } from './manifests/hidden-value.js';
export { hideSecrets, isSecret, restoreHidden } from './manifests/hide-secrets.js';
export { isBroken, MAX_OBJECTS } from './manifests/parse-manifests.js';
export type { Manifest, ParsedManifest } from './manifests/parse-manifests.js';
export { manifestsWithoutSecrets, yaml } from './manifests/resource-yaml-process.js';
export { ClusterNames } from './names/cluster-names.js';
export type { FoundNames, NamedObject, NamesOfKind } from './names/cluster-names.js';
export * from './object/actions.js';
export { claimsOf } from './object/claims-of.js';
export * from './object/revisions.js';
export * from './object/object-names.js';
export type { OverviewFrame } from './overview/overview-feed.js';
export { ResourceFeeds } from './resource-feeds.js';
export type { Feed } from './resource-feeds.js';
export { ResourcesModule } from './resources.module.js';
export type { TableFrame } from './watch/table-feed.js';
export { readDuration } from './watch/ages.js';
export { idOf, keyOf, RowFormat, type PrintedRow } from './watch/printed-row.js';
export { TableStore } from './watch/table-store.js';
export { keyOfCluster, kindKey, TableWatches } from './watch/table-watches.js';
export type { TableLease } from './watch/table-watches.js';
