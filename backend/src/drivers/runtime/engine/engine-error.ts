/** Whether an engine said that what was asked for is not there. */
export function isGone(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Whether an engine refused because something stands in the way: in use, or at work on it already. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode;
}
