/** Whether a signal was given meanwhile: the compiler takes one to stay as it was seen last. */
export function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
