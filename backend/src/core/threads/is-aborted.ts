/** Whether a signal has aborted since: TypeScript assumes that `aborted` still has the value of the last check. */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
