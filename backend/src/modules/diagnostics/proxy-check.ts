import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** Also in small letters, which most programs read first. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY'] as const;

/** The proxy variables, which kind hands to every node and pulls go through; never with a password. */
export function checkProxies(environment: Readonly<Record<string, string | undefined>>): DiagnosticCheckDto {
  const valueOf = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const given = PROXIES.filter((name) => valueOf(name) !== '');
  const check = { name: 'proxies', title: 'Proxy variables' };
  if (given.length === 0) return { ...check, level: 'ok', message: 'none set', fix: null };
  const exceptions = valueOf('NO_PROXY');
  const told = [
    ...given.map((name) => `${name}=${bare(valueOf(name))}`),
    exceptions === '' ? 'no NO_PROXY' : `NO_PROXY=${exceptions}`,
  ].join(', ');
  const nearby = given.find((name) => /^(\w+:\/\/)?([^@/]*@)?(localhost|127\.|\[::1\])/.test(valueOf(name)));
  if (nearby !== undefined) {
    return {
      ...check,
      level: 'warning',
      message: `${told}. kind hands them to the nodes, and inside a node ${nearby} leads to the node itself`,
      fix: 'Name the proxy by an address of this machine that containers reach.',
    };
  }
  return { ...check, level: 'ok', message: `${told}. kind hands them to the nodes`, fix: null };
}

/** Without who signs in there, and with what. */
export function bare(proxy: string): string {
  return proxy.replace(/^(\w+:\/\/)?[^@/]*@/, '$1');
}
