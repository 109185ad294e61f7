/** The API's types, imported from the backend: types only, no code. */
export type * from '../../../../backend/src/modules/addons/common/addon.dto.js';
export type * from '../../../../backend/src/modules/addons/common/chart.dto.js';
export type * from '../../../../backend/src/modules/addons/common/operation.dto.js';
export type {
  AccessTokenDto,
  CreateAccessTokenDto,
  CreatedAccessTokenDto,
} from '../../../../backend/src/modules/auth/access-tokens/access-token.dto.js';
export type * from '../../../../backend/src/modules/auth/auth.dto.js';
export type * from '../../../../backend/src/modules/clusters/clone/clone.dto.js';
export type * from '../../../../backend/src/modules/clusters/config/cluster-config.dto.js';
export type * from '../../../../backend/src/modules/clusters/creation/create-cluster.dto.js';
export type * from '../../../../backend/src/modules/clusters/inventory/cluster.dto.js';
export type * from '../../../../backend/src/modules/clusters/recreation/recreation.dto.js';
export type * from '../../../../backend/src/modules/diagnostics/bundle/bundle.dto.js';
export type * from '../../../../backend/src/modules/diagnostics/checks/diagnostics.dto.js';
export type * from '../../../../backend/src/modules/health/health.dto.js';
export type * from '../../../../backend/src/modules/images/common/image.dto.js';
export type * from '../../../../backend/src/modules/images/common/usage.dto.js';
export type * from '../../../../backend/src/modules/jobs/job.dto.js';
export type * from '../../../../backend/src/modules/journal/journal.dto.js';
export type * from '../../../../backend/src/modules/documentation/page.dto.js';
export type * from '../../../../backend/src/modules/kubeconfig/kubeconfig.dto.js';
export type * from '../../../../backend/src/modules/log-alerts/alert-query.dto.js';
export type * from '../../../../backend/src/modules/log-alerts/alert.dto.js';
export type * from '../../../../backend/src/modules/log-lines/line.dto.js';
export type {
  FieldValuesDto,
  LinePatternDto,
  LinePatternsDto,
} from '../../../../backend/src/modules/log-search/line-groups.dto.js';
export type * from '../../../../backend/src/modules/log-search/line-page.dto.js';
export type {
  SavedSearchDto,
  SaveSearchDto,
} from '../../../../backend/src/modules/log-search/saved-search.dto.js';
export type {
  HistogramBucketDto,
  HistogramDto,
  SearchReason,
  SearchStreamEvent,
} from '../../../../backend/src/modules/log-search/search.dto.js';
export type * from '../../../../backend/src/modules/files/files.dto.js';
export type * from '../../../../backend/src/modules/log-sources/log-source.dto.js';
export type * from '../../../../backend/src/modules/log-sources/log-store.dto.js';
export type * from '../../../../backend/src/modules/log-sources/source-change.dto.js';
export type * from '../../../../backend/src/modules/pod-logs/pod-logs.dto.js';
export type * from '../../../../backend/src/modules/resources/apply/apply.dto.js';
export type * from '../../../../backend/src/modules/resources/batch/batch.dto.js';
export type * from '../../../../backend/src/modules/resources/change/change.dto.js';
export type * from '../../../../backend/src/modules/resources/diagnosis/diagnosis.dto.js';
export type * from '../../../../backend/src/modules/resources/drain/drain.dto.js';
export type * from '../../../../backend/src/modules/resources/common/object.dto.js';
export type * from '../../../../backend/src/modules/resources/effects/effects.dto.js';
export type * from '../../../../backend/src/modules/resources/image/image.dto.js';
export type * from '../../../../backend/src/modules/resources/object/secret.dto.js';
export type * from '../../../../backend/src/modules/resources/overview/overview.dto.js';
export type * from '../../../../backend/src/modules/resources/pods/pod-restart.dto.js';
export type * from '../../../../backend/src/modules/resources/rollout/rollout.dto.js';
export type * from '../../../../backend/src/modules/resources/common/resource.dto.js';
export type { PodUsageDto } from '../../../../backend/src/modules/resources/usage/usage.dto.js';
export type * from '../../../../backend/src/modules/expose/expose.dto.js';
export type * from '../../../../backend/src/modules/forwards/forwards.dto.js';
export type {
  SearchResponseDto,
  SearchResultDto,
} from '../../../../backend/src/modules/search/search.dto.js';
export type * from '../../../../backend/src/modules/shells/shell-messages.js';
export type * from '../../../../backend/src/modules/stats/stats.dto.js';
export type * from '../../../../backend/src/modules/versions/version.dto.js';
export type {
  ClientMessage,
  ServerMessage,
  Topic,
} from '../../../../backend/src/modules/events/event-messages.js';
export type { ErrorBody } from '../../../../backend/src/core/errors/error.filter.js';
export type { ErrorCode } from '../../../../backend/src/core/errors/error-codes.js';
export type { FieldProblem } from '../../../../backend/src/core/errors/domain-error.js';
export type { TokenScope } from '../../../../backend/src/core/security/token-scope.js';
export type { PageSession } from '../../../../backend/src/core/security/access-policy.js';
export type {
  ClientMessage as LogBoardRequest,
  ServerMessage as LogBoardMessage,
} from '../../../../backend/src/modules/log-live/socket-messages.js';
export type { WireLine } from '../../../../backend/src/modules/log-lines/wire-line.js';
export type { Level } from '../../../../backend/src/drivers/log-store/index.js';
export type { AddonState } from '../../../../backend/src/modules/addons/common/addon.js';
