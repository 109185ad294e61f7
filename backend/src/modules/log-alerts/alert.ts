import type { Level } from '../../drivers/log-store/index.js';

/** Which lines an alert counts. All conditions must match. */
export interface LineQuery {
  text: string | null;
  regex: boolean;
  case: boolean;
  without: readonly string[];
  level: readonly (Level | 'none')[];
  /** `name:value`. */
  field: readonly string[];
  /** `name:value` that the line must not have. */
  without_field: readonly string[];
}

/** Which sources an alert reads. Missing fields match all; `*` is a wildcard. */
export interface SourceQuery {
  runtime?: string;
  cluster?: string;
  namespace?: string;
  workload?: string;
  name?: string;
}

export interface Alert {
  id: number;
  name: string;
  enabled: boolean;
  query: LineQuery;
  sources: SourceQuery;
  threshold: number;
  window_seconds: number;
  quiet_seconds: number;
  browser: boolean;
  /** Whether it has a webhook. Its URL and secret are in the sealed secrets. */
  webhook: boolean;
  /** Why Slipway disabled it. */
  problem: string | null;
  /** RFC 3339. */
  last_fired_at: string | null;
  created_at: string;
}

/** Format of the request: the firing as JSON, or a chat message. */
export const WEBHOOK_FORMS = ['slipway', 'slack', 'discord', 'teams', 'ntfy'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

export interface Webhook {
  url: string;
  form: WebhookForm;
  secret: string | null;
}

export const MAX_ALERTS = 100;
/** Per alert. Older ones are deleted. */
export const MAX_FIRINGS = 100;
export const MAX_THRESHOLD = 1_000_000;
/** One day. */
export const MAX_SECONDS = 86_400;
export const MAX_TEXT = 1000;
export const MAX_PARTS = 10;
