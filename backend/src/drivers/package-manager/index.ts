export { HelmPackageManager } from './helm/helm-package-manager.js';
export { readChartArchive } from './chart-archive.js';
export { PackageManager, PackageManagerSelector, RELEASE_STATUSES } from './package-manager.js';
export type {
  Chart,
  ChartRepository,
  ChartRequest,
  ChartSource,
  OfferedChart,
  OperationOptions,
  PackageManagerStatus,
  PreviewRequest,
  Release,
  ReleaseContents,
  ReleaseName,
  ReleaseRevision,
  ReleaseStatus,
  RenderRequest,
  RepositoryCredentials,
} from './package-manager.js';
export { checkSchema, readValues } from './values/check-schema.js';
export { isMap, valuesRefused, type Values, type ValuesProblem } from './values/index.js';
