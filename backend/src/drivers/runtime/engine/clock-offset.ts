import type { EngineInfo } from './engine-responses.js';

/** The engine info, with how far the engine's clock is ahead of this machine's; 0 if it reports no time. */
export async function timedInfo(
  request: Promise<EngineInfo>,
): Promise<{ info: EngineInfo; clockOffsetMs: number }> {
  const startedAt = Date.now();
  const info = await request;
  const time = Date.parse(info.SystemTime ?? '');
  // The engine read its clock between request and response.
  const clockOffsetMs = Number.isNaN(time) ? 0 : Math.round(time - (startedAt + Date.now()) / 2);
  return { info, clockOffsetMs };
}
