import type { Request, RequestHandler } from 'express';
import { MemoryStore, rateLimit } from 'express-rate-limit';
import { DomainError } from '../../core/errors/index.js';
import { joinJournalGroups, type JournalGroups } from '../../core/logging/index.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const WINDOW_MS = 60_000;
/** Names the changes of one batch, such as those of a selection. */
const BATCH_HEADER = 'slipway-batch';
const BATCH_ID = /^[\w-]{8,64}$/;
const BATCH_ROUTES = /^\/api\/v1\/clusters\//;
const BATCH_CHANGES = 500;

/**
 * Limits the changes of each client. Those of a batch count once, for up to 500 changes within a minute; a longer one counts
 * again. A batch is bounded, so that its header does not lift the limit, and only clusters have bulk changes. The journal
 * groups them.
 */
export function writeRateLimit(perMinute: number, clientKey: (request: Request) => string): RequestHandler {
  const batches = new Map<string, { until: number; left: number; groups: JournalGroups }>();
  const store = new MemoryStore();
  let latest = 0;
  const limit = rateLimit({
    store,
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: clientKey,
    skip: (request) => SAFE_METHODS.has(request.method),
    handler: (_request, _response, next) => {
      next(
        new DomainError(
          'too_many_requests',
          `Too many changes: the limit is ${perMinute} per minute. Wait a minute.`,
        ),
      );
    },
  });
  return (request, response, next) => {
    const now = Date.now();
    // The clock was set back, and no count would end before it is as late again.
    if (now < latest - WINDOW_MS) {
      void store.resetAll();
      batches.clear();
    }
    latest = now;
    const id = request.get(BATCH_HEADER) ?? '';
    if (!BATCH_ID.test(id) || !BATCH_ROUTES.test(request.path)) return void limit(request, response, next);
    const key = `${id} ${clientKey(request)}`;
    const batch = batches.get(key);
    if (batch && batch.until > now && batch.left > 0) {
      batch.left -= 1;
      joinJournalGroups(batch.groups);
      next();
      return;
    }
    void limit(request, response, (error?: unknown) => {
      if (error === undefined) {
        for (const [other, { until }] of batches) if (until <= now) batches.delete(other);
        const groups: JournalGroups = new Map();
        joinJournalGroups(groups);
        batches.set(key, { until: now + WINDOW_MS, left: BATCH_CHANGES - 1, groups });
      }
      next(error);
    });
  };
}
