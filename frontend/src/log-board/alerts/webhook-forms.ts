import type { WebhookForm } from '../../shared/api/api-types';

export const WEBHOOK_FORMS: Readonly<
  Record<WebhookForm, { name: string; placeholder: string; hint: string }>
> = {
  slipway: {
    name: $localize`Slipway JSON`,
    placeholder: 'https://chat.example.org/hooks/slipway',
    hint: $localize`Sends each firing as a JSON POST request, with up to eight attempts.`,
  },
  slack: {
    name: 'Slack, Mattermost',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: $localize`Sends a message to a Slack or Mattermost incoming webhook.`,
  },
  discord: {
    name: 'Discord',
    placeholder: 'https://discord.com/api/webhooks/…',
    hint: $localize`Sends a message without mentions.`,
  },
  teams: {
    name: 'Teams',
    placeholder: 'https://….logic.azure.com/workflows/…',
    hint: $localize`Sends a card. Use the URL of a workflow that starts with a Teams webhook request.`,
  },
  ntfy: {
    name: 'ntfy',
    placeholder: 'https://ntfy.sh/your-topic',
    hint: $localize`Sends plain text with a title. The URL ends with the topic.`,
  },
};
