import { Injectable } from '@nestjs/common';
import { SealedSecrets } from '../../core/secrets/index.js';
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
  constructor(private readonly secrets: SealedSecrets) {}

  /** @returns undefined without a webhook, or if it cannot be decrypted. */
  async of(alertId: number): Promise<Webhook | undefined> {
    const store = await this.secrets.open();
    try {
      const sealed = store.get(nameOf(alertId));
      if (sealed === undefined) return undefined;
      // Webhooks of earlier versions have no form.
      return { form: 'slipway', ...(JSON.parse(sealed) as StoredWebhook) };
    } catch {
      return undefined;
    }
  }

  /** Opens the secrets, so that `put` is synchronous and fits into a transaction. */
  async writer(): Promise<{ put: (alertId: number, webhook: Webhook | null) => void }> {
    const store = await this.secrets.open();
    return {
      put: (alertId, webhook) => {
        if (webhook) store.put(nameOf(alertId), JSON.stringify(webhook));
        else store.remove(nameOf(alertId));
      },
    };
  }
}

function nameOf(alertId: number): string {
  return `alert-webhook:${alertId}`;
}
