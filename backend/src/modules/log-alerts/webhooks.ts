import { Injectable } from '@nestjs/common';
import { parseOwnJson } from '../../core/parsing/index.js';
import { SealedSecretStore } from '../../core/secrets/index.js';
import type { WebhookForm } from './alert.dto.js';

export interface Webhook {
  url: string;
  form: WebhookForm;
  secret: string | null;
}

type StoredWebhook = Omit<Webhook, 'form'> & Partial<Pick<Webhook, 'form'>>;

/** The webhooks of alerts, in the sealed secrets: URLs of chat webhooks are secret too. */
@Injectable()
export class Webhooks {
  constructor(private readonly secrets: SealedSecretStore) {}

  /** @returns undefined without a webhook, or if it cannot be decrypted. */
  of(alertId: number): Webhook | undefined {
    try {
      const sealed = this.secrets.get(nameOf(alertId));
      if (sealed === undefined) return undefined;
      // Webhooks of earlier versions have no form.
      return { form: 'slipway', ...parseOwnJson<StoredWebhook>(sealed) };
    } catch {
      return undefined;
    }
  }

  /** @param webhook null to remove it. */
  put(alertId: number, webhook: Webhook | null): void {
    if (webhook) this.secrets.put(nameOf(alertId), JSON.stringify(webhook));
    else this.secrets.remove(nameOf(alertId));
  }
}

function nameOf(alertId: number): string {
  return `alert-webhook:${alertId}`;
}
