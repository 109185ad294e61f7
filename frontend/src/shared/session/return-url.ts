import { served, unserved } from '../api/base-path';

/** The page to open after sign-in. Pages of other origins in `next` are ignored. */
export function returnUrl(search: string, home: string, origin = window.location.origin): string {
  const next = new URLSearchParams(search).get('next');
  if (next === null || !next.startsWith('/') || !URL.canParse(next, origin)) return home;
  const target = new URL(next, origin);
  if (target.origin !== origin || target.pathname === '/login') return home;
  // `/.//evil.example` is normalized to `//evil.example`, which names a host.
  if (target.pathname.startsWith('//')) return home;
  return target.pathname + target.search + target.hash;
}

export function goToSignIn(location: Location = window.location): void {
  const { search, hash } = location;
  const pathname = unserved(location.pathname);
  if (pathname === '/login') return;
  location.assign(served(`/login?${new URLSearchParams({ next: pathname + search + hash }).toString()}`));
}
