import type { EngineInfo } from './engine-responses.js';

/** What an engine says of itself, with how far its clock is ahead of this machine's; 0 where it tells no time. */
export async function timedInfo(
  asking: Promise<EngineInfo>,
): Promise<{ info: EngineInfo; clockOffsetMs: number }> {
  const askedAt = Date.now();
  const info = await asking;
  const time = Date.parse(info.SystemTime ?? '');
  // The engine read its clock somewhere between question and response.
  const clockOffsetMs = Number.isNaN(time) ? 0 : Math.round(time - (askedAt + Date.now()) / 2);
  return { info, clockOffsetMs };
}
