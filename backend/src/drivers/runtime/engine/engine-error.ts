/** Whether an engine said that what was asked for is not there. */
export function isGone(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Whether an engine refused because something stands in the way: in use, or at work on it already. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** Whether an engine failed over a container that went while it was at work. */
export function isVanishing(error: unknown): boolean {
  return (
    statusOf(error) === 500 &&
    /no such container|container .* has (already )?been removed/i.test((error as Error).message)
  );
}

function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode;
}
