export { HelmPackageManager } from './helm/helm-package-manager.js';
export { readChartArchive } from './chart-archive.js';
export { PackageManager, PackageManagerSelector, RELEASE_STATUSES } from './package-manager.js';
export type {
  Chart,
  ChartRequest,
  ChartSource,
  OfferedChart,
  OperationOptions,
  PackageManagerStatus,
  Release,
  ReleaseContents,
  ReleaseName,
  ReleaseRevision,
  ReleaseStatus,
  RenderRequest,
  RepositoryCredentials,
} from './package-manager.js';
export { checkSchema, readValues } from './values/check-schema.js';
export { isMap, type ValuesProblem } from './values/index.js';
