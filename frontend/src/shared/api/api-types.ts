import type { Operations as DashboardOperations } from '../../../../.cache/api/dashboard';
import type { Operations as LogBoardOperations } from '../../../../.cache/api/log-board';
import type { MergedPageDto } from '../../../../backend/src/modules/log-search/line-page.dto.js';
import type { Overview } from '../../../../backend/src/modules/resources/overview/overview.dto.js';

/**
 * The API's types: types only, no code. The build generates those of requests and responses from the OpenAPI documents.
 * Those of streams, sockets and parts without a name come from the backend.
 */
export type * from '../../../../.cache/api/dashboard';
export type {
  AlertDto,
  AlertFiringDto,
  AlertPreviewDto,
  AlertQueryDto,
  DeletedLinesDto,
  FieldValuesDto,
  HistogramBucketDto,
  HistogramDto,
  LineDetailDto,
  LineDto,
  LinePatternDto,
  LinePatternsDto,
  LogSourceDto,
  LogStoreDto,
  SaveAlertDto,
  SavedSearchDto,
  SearchesSearchData,
  SourceCauseDto,
  WebhookForm,
} from '../../../../.cache/api/log-board';
export type {
  MergedPageDto,
  WireMergedLine,
} from '../../../../backend/src/modules/log-search/line-page.dto.js';
export type {
  SearchReason,
  SearchStreamEvent,
} from '../../../../backend/src/modules/log-search/search.dto.js';
export type { LogStoreHealth } from '../../../../backend/src/modules/log-sources/log-store.dto.js';
export type {
  PodLogEvent,
  WorkloadLogSource,
} from '../../../../backend/src/modules/pod-logs/pod-logs.dto.js';
export type { PropagationName } from '../../../../backend/src/modules/resource-changes/change/change.dto.js';
export type { ResourceAction } from '../../../../backend/src/modules/resources/common/object.dto.js';
export type { Overview } from '../../../../backend/src/modules/resources/overview/overview.dto.js';
export type { ObjectReferenceDto } from '../../../../backend/src/modules/resources/common/resource.dto.js';
export type { ResourceHealth } from '../../../../backend/src/drivers/kubernetes/object-health.js';
export type * from '../../../../backend/src/modules/shells/shell-messages.js';
export type {
  ClientMessage,
  ServerMessage,
  Topic,
} from '../../../../backend/src/modules/events/event-messages.js';
export type { ErrorBody } from '../../../../backend/src/core/errors/error.filter.js';
export type { FieldProblem } from '../../../../backend/src/core/errors/domain-error.js';
export type { TokenScope } from '../../../../backend/src/core/security/token-scope.js';
export type { PageSession } from '../../../../backend/src/core/security/access-policy.js';
export type {
  ClientMessage as LogBoardRequest,
  ServerMessage as LogBoardMessage,
} from '../../../../backend/src/modules/log-live/socket-messages.js';
export type { WireLine } from '../../../../backend/src/modules/log-lines/wire-line.js';
export type { Level } from '../../../../backend/src/drivers/log-store/index.js';

/** Responses that OpenAPI 3.0 cannot describe exactly: tuples and names with a prefix. */
interface ExactResponses {
  'GET /api/v1/clusters/{name}/overview': Overview;
  'GET /api/lines': MergedPageDto;
}

type DescribedOperations = DashboardOperations & LogBoardOperations;

/** Parameters, body and response of each route of both applications. */
export type Operations = {
  [TRoute in keyof DescribedOperations]: TRoute extends keyof ExactResponses
    ? Omit<DescribedOperations[TRoute], 'response'> & { response: ExactResponses[TRoute] }
    : DescribedOperations[TRoute];
};
