import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** Most programs prefer the lowercase variants. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY'] as const;

/** Checks the proxy variables, which kind passes to every node. Credentials are removed. */
export function checkProxies(environment: Readonly<Record<string, string | undefined>>): DiagnosticCheckDto {
  const valueOf = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const used = PROXIES.filter((name) => valueOf(name) !== '');
  const check = { name: 'proxies', title: 'Proxy variables' };
  if (used.length === 0) return { ...check, level: 'ok', message: 'not set', fix: null };
  const exceptions = valueOf('NO_PROXY');
  const values = [
    ...used.map((name) => `${name}=${withoutCredentials(valueOf(name))}`),
    exceptions === '' ? 'NO_PROXY not set' : `NO_PROXY=${exceptions}`,
  ].join(', ');
  const loopback = used.find((name) => /^(\w+:\/\/)?([^@/]*@)?(localhost|127\.|\[::1\])/.test(valueOf(name)));
  if (loopback !== undefined) {
    return {
      ...check,
      level: 'warning',
      message: `${values}. kind passes them to the nodes, where ${loopback} points to the node itself`,
      fix: 'Set the proxy to an address of the host that containers can reach.',
    };
  }
  return { ...check, level: 'ok', message: `${values}. kind passes them to the nodes`, fix: null };
}

export function withoutCredentials(proxy: string): string {
  return proxy.replace(/^(\w+:\/\/)?[^@/]*@/, '$1');
}
