import { Injectable } from '@nestjs/common';
import { SealedSecrets } from '../../core/secrets/index.js';
import type { Webhook } from './alert.js';

type KeptWebhook = Omit<Webhook, 'form'> & Partial<Pick<Webhook, 'form'>>;

/**
 * Where alerts send their firings. Address, form and secret are sealed together: the address of a chat's hook is a secret
 * as well.
 */
@Injectable()
export class Webhooks {
  constructor(private readonly secrets: SealedSecrets) {}

  /** @returns undefined where there is none, or what is kept cannot be read any more. */
  async of(alertId: number): Promise<Webhook | undefined> {
    const store = await this.secrets.open();
    try {
      const sealed = store.get(nameOf(alertId));
      if (sealed === undefined) return undefined;
      // What an earlier version kept has no form.
      return { form: 'slipway', ...(JSON.parse(sealed) as KeptWebhook) };
    } catch {
      return undefined;
    }
  }

  /** Opened first, so that what follows is one turn. */
  async keeper(): Promise<{ put: (alertId: number, webhook: Webhook | null) => void }> {
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
