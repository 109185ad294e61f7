export const PAGES = {
  readme: 'README.md',
  install: 'docs/install.md',
  container: 'docs/container.md',
  cli: 'docs/cli.md',
  mcp: 'docs/mcp.md',
  clusters: 'docs/clusters.md',
  'add-your-clusters': 'docs/add-your-clusters.md',
  kubeconfig: 'docs/kubeconfig.md',
  addons: 'docs/addons.md',
  images: 'docs/images.md',
  logs: 'docs/logs.md',
  search: 'docs/search.md',
  alerts: 'docs/alerts.md',
  security: 'docs/security.md',
  proxy: 'docs/proxy.md',
  configuration: 'docs/configuration.md',
  'data-folder': 'docs/data-folder.md',
  api: 'docs/api.md',
  'log-board-socket': 'docs/log-board-socket.md',
  victorialogs: 'docs/victorialogs.md',
  troubleshooting: 'docs/troubleshooting.md',
  develop: 'docs/develop.md',
  publish: 'docs/publish.md',
  architecture: 'ARCHITECTURE.md',
  'threat-model': 'SECURITY.md',
  changelog: 'CHANGELOG.md',
} as const;

export type PageName = keyof typeof PAGES;

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(PAGES, name);
}
