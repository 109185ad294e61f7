/** The API's types, imported from the backend: types only, no code. */
export type {
  CheckProblemDto,
  ClusterCheckDto,
  ClusterDto,
  ClusterNodeDto,
  DeletionDto,
  HostAccessDto,
  ProvisionLogDto,
  ProvisionStageDto,
} from '../../../../backend/src/modules/clusters/inventory/cluster.dto.js';
export type {
  CreateClusterDto,
  MountDto,
  PortMappingDto,
} from '../../../../backend/src/modules/clusters/creation/create-cluster.dto.js';
export type {
  ConfigCheckDto,
  ConfigDto,
  ConfigProblemDto,
  ConfigSource,
  ConfigTextDto,
  SavedConfigDto,
} from '../../../../backend/src/modules/clusters/config/cluster-config.dto.js';
export type { RecreationCheckDto } from '../../../../backend/src/modules/clusters/recreation/recreation.dto.js';
export type { ClusterState } from '../../../../backend/src/modules/clusters/inventory/cluster.js';
export type {
  CancellationDto,
  ClearedJobsDto,
  JobDto,
  JobLogLineDto,
  JobReferenceDto,
  JobStepDto,
  JobWithLogDto,
} from '../../../../backend/src/modules/jobs/job.dto.js';
export type { JobKind, JobState, LogKind, StepState } from '../../../../backend/src/modules/jobs/job.js';
export type { JournalEntryDto, JournalPageDto } from '../../../../backend/src/modules/journal/journal.dto.js';
export type { JournalOutcome } from '../../../../backend/src/modules/journal/journal-entry.js';
export type {
  ClusterStatsDto,
  HostStatsDto,
  NodeStatsDto,
  RuntimeStatsDto,
  StatsDto,
} from '../../../../backend/src/modules/stats/stats.dto.js';
export type { NodeImageTagDto, VersionsDto } from '../../../../backend/src/modules/versions/version.dto.js';
export type {
  DiagnosticCheckDto,
  DiagnosticsDto,
  RuntimeAttemptDto,
  RuntimeDiagnosisDto,
} from '../../../../backend/src/modules/diagnostics/diagnostics.dto.js';
export type { DocumentationPageDto } from '../../../../backend/src/modules/documentation/page.dto.js';
export type { HealthDto } from '../../../../backend/src/modules/health/health.dto.js';
export type {
  ClientMessage,
  ServerMessage,
  Topic,
} from '../../../../backend/src/modules/events/event-messages.js';
export type {
  ClusterImagesDto,
  EngineImageDto,
  ImageNodeDto,
  LoadImagesDto,
  NodeImageDto,
} from '../../../../backend/src/modules/images/image.dto.js';
export type {
  DiskUsageDto,
  NodeImageUsageDto,
  NodeVolumeUsageDto,
  PruneDto,
} from '../../../../backend/src/modules/images/usage.dto.js';
export type {
  CloneCheckDto,
  CloneClusterDto,
  PortMoveDto,
} from '../../../../backend/src/modules/clusters/clone/clone.dto.js';
export type { ErrorBody } from '../../../../backend/src/core/errors/error.filter.js';
export type { ErrorCode } from '../../../../backend/src/core/errors/error-codes.js';
export type { FieldProblem } from '../../../../backend/src/core/errors/domain-error.js';
export type { KubeconfigMergeDto } from '../../../../backend/src/modules/kubeconfig/kubeconfig.dto.js';
export type {
  EndedSessionDto,
  EndedSessionsDto,
  ListedSessionDto,
  TicketDto,
  TokenDto,
  UserDto,
} from '../../../../backend/src/modules/auth/auth.dto.js';
export type {
  AccessTokenDto,
  CreateAccessTokenDto,
  CreatedAccessTokenDto,
} from '../../../../backend/src/modules/auth/access-tokens/access-token.dto.js';
export type { TokenScope } from '../../../../backend/src/core/security/token-scope.js';
export type { PageSession } from '../../../../backend/src/core/security/access-policy.js';
export type {
  ClientMessage as LogBoardRequest,
  ServerMessage as LogBoardMessage,
} from '../../../../backend/src/modules/log-live/socket-messages.js';
export type { WireLine } from '../../../../backend/src/modules/log-lines/wire-line.js';
export type { DeletedLinesDto } from '../../../../backend/src/modules/log-sources/source-change.dto.js';
export type { LogSourceDto } from '../../../../backend/src/modules/log-sources/log-source.dto.js';
export type { LogStoreHealth } from '../../../../backend/src/modules/log-sources/log-store-health.js';
export type { LogStoreDto } from '../../../../backend/src/modules/log-sources/log-store.dto.js';
export type { SourceState } from '../../../../backend/src/modules/log-sources/source-state.js';
export type { LineDto } from '../../../../backend/src/modules/log-lines/line.dto.js';
export type {
  LineDetailDto,
  MergedPageDto,
  WireMergedLine,
} from '../../../../backend/src/modules/log-search/line-page.dto.js';
export type {
  HistogramBucketDto,
  HistogramDto,
  SearchReason,
  SearchStreamEvent,
} from '../../../../backend/src/modules/log-search/search.dto.js';
export type {
  PodContainerDto,
  PodContainersDto,
  PodLogEvent,
} from '../../../../backend/src/modules/pod-logs/pod-logs.dto.js';
export type { Level } from '../../../../backend/src/drivers/log-store/index.js';
export type {
  HealthCountsDto,
  OverviewSummaryDto,
  ResourceBlockDto,
  ResourceHealth,
  ResourceTableDto,
  ResourceTypeDto,
  TableColumnDto,
  TableRowDto,
} from '../../../../backend/src/modules/resources/resource.dto.js';
export type {
  OwnerReferenceDto,
  ResourceAction,
  ResourceObjectDto,
} from '../../../../backend/src/modules/resources/object.dto.js';
export type { Overview } from '../../../../backend/src/modules/resources/overview/overview.dto.js';
export type {
  SearchResponseDto,
  SearchResultDto,
} from '../../../../backend/src/modules/search/search.dto.js';
export type { RevealedValueDto } from '../../../../backend/src/modules/resources/object/secret.dto.js';
export type {
  ChangedResourceDto,
  PropagationName,
  RemovedResourceDto,
  ReplacedResourceDto,
} from '../../../../backend/src/modules/resources/change/change.dto.js';
export type { DrainDto } from '../../../../backend/src/modules/resources/drain/drain.dto.js';
export type { RestartedPodDto } from '../../../../backend/src/modules/resources/pods/pod-restart.dto.js';
export type {
  AppliedDocumentDto,
  AppliedDto,
} from '../../../../backend/src/modules/resources/apply/apply.dto.js';
export type {
  AddonCatalogDto,
  AddonDiffDto,
  AddonDto,
  AddonOperationDto,
  CatalogEntryDto,
  ReleaseDetailsDto,
  ReleaseDto,
  ReleaseResourceDto,
  ReleaseServiceDto,
} from '../../../../backend/src/modules/addons/addon.dto.js';
export type { AddonState } from '../../../../backend/src/modules/addons/addon.js';
export type {
  AddRepositoryDto,
  ChartDto,
  OfferedChartsDto,
  RepositoryDto,
} from '../../../../backend/src/modules/addons/chart.dto.js';
export type {
  ForwardDto,
  InstallAddonDto,
  UpgradeAddonDto,
} from '../../../../backend/src/modules/addons/operation.dto.js';
export type {
  AlertDto,
  AlertFiringDto,
  DeliveryDto,
} from '../../../../backend/src/modules/log-alerts/alert.dto.js';
export type { WebhookForm } from '../../../../backend/src/modules/log-alerts/alert.js';
export type { SaveAlertDto } from '../../../../backend/src/modules/log-alerts/alert-request.dto.js';
export type {
  SavedSearchDto,
  SaveSearchDto,
} from '../../../../backend/src/modules/log-search/saved-search.dto.js';
