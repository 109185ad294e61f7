export { CHART_NAME, CHART_VERSION } from './describe-chart.js';
export { HelmPackageManager } from './helm/helm-package-manager.js';
export { readChartArchive } from './chart-archive.js';
export { checkSchema, readValues } from './values/check-schema.js';
export type { ValuesProblem } from './values/parse-values.js';
export * from './package-manager.js';
