/** The newest of some versions above a given one; null without one. A prerelease is offered only to a prerelease. */
export function newestAbove(version: string, versions: readonly string[]): string | null {
  const [newest = version] = versions
    .filter((each) => version.includes('-') || !each.includes('-'))
    .sort((one, other) => compareVersions(other, one));
  return compareVersions(newest, version) > 0 ? newest : null;
}

export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
