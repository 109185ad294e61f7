import type { Level } from '../../drivers/log-store/index.js';

/** Which lines a rule counts. All of its parts have to fit. */
export interface LineQuery {
  text: string | null;
  regex: boolean;
  case: boolean;
  without: readonly string[];
  level: readonly (Level | 'none')[];
  /** `name:value`. */
  field: readonly string[];
  /** `name:value` that it has not. */
  without_field: readonly string[];
}

/** Of which sources; what is not given is any. `*` stands for any characters. */
export interface SourceQuery {
  runtime?: string;
  cluster?: string;
  namespace?: string;
  workload?: string;
  name?: string;
}

/** A rule, as it is kept. */
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
  /** Whether it has a webhook; where that is and with which secret is sealed. */
  webhook: boolean;
  /** Why Slipway disabled it. */
  problem: string | null;
  /** RFC 3339. */
  last_fired_at: string | null;
  created_at: string;
}

/** What a webhook's server takes: the firing as JSON, or a message of a chat. */
export const WEBHOOK_FORMS = ['slipway', 'slack', 'discord', 'teams', 'ntfy'] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

/** Where firings are sent, in which form, and what signs them. */
export interface Webhook {
  url: string;
  form: WebhookForm;
  secret: string | null;
}

export const MAX_ALERTS = 100;
/** Kept of each alert. */
export const MAX_FIRINGS = 100;
export const MAX_THRESHOLD = 1_000_000;
/** A day. */
export const MAX_SECONDS = 86_400;
export const MAX_TEXT = 1000;
export const MAX_PARTS = 10;
