import type { WebhookForm } from '../../shared/api/api-types';

export interface WebhookFormChoice {
  form: WebhookForm;
  name: string;
  placeholder: string;
  hint: string;
}

export const WEBHOOK_FORMS: readonly WebhookFormChoice[] = [
  {
    form: 'slipway',
    name: $localize`Slipway JSON`,
    placeholder: 'https://chat.example.org/hooks/slipway',
    hint: $localize`Sends each firing as a JSON POST request, with up to eight attempts.`,
  },
  {
    form: 'slack',
    name: 'Slack, Mattermost',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: $localize`Sends a message to a Slack or Mattermost incoming webhook.`,
  },
  {
    form: 'discord',
    name: 'Discord',
    placeholder: 'https://discord.com/api/webhooks/…',
    hint: $localize`Sends a message without mentions.`,
  },
  {
    form: 'teams',
    name: 'Teams',
    placeholder: 'https://….logic.azure.com/workflows/…',
    hint: $localize`Sends a card. Use the URL of a workflow that starts with a Teams webhook request.`,
  },
  {
    form: 'ntfy',
    name: 'ntfy',
    placeholder: 'https://ntfy.sh/your-topic',
    hint: $localize`Sends plain text with a title. The URL ends with the topic.`,
  },
];

/** @returns the choice of a form; Slipway JSON for an unknown one */
export function formChoice(form: WebhookForm): WebhookFormChoice {
  const [own] = WEBHOOK_FORMS;
  const found = WEBHOOK_FORMS.find((choice) => choice.form === form) ?? own;
  if (!found) throw new Error('no webhook forms');
  return found;
}
