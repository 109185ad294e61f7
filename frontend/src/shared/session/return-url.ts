/**
 * The page to go on to after the sign-in. Only one of our own: whatever a link puts into `next`, nobody is sent
 * outside.
 */
export function returnUrl(search: string, home: string, origin = window.location.origin): string {
  const next = new URLSearchParams(search).get('next');
  if (next === null || !next.startsWith('/') || !URL.canParse(next, origin)) return home;
  const target = new URL(next, origin);
  if (target.origin !== origin || target.pathname === '/login') return home;
  // The dots of `/.//evil.example` are gone by now, and what is left names a host.
  if (target.pathname.startsWith('//')) return home;
  return target.pathname + target.search + target.hash;
}

/** Leaves for the sign-in page, and remembers this one. */
export function goToSignIn(location: Location = window.location): void {
  const { pathname, search, hash } = location;
  if (pathname === '/login') return;
  location.assign(`/login?${new URLSearchParams({ next: pathname + search + hash }).toString()}`);
}
