import type { WebhookForm } from '../../shared/api/api-types';

/** What a webhook's server may take, in the words of the form. */
export interface WebhookFormChoice {
  form: WebhookForm;
  name: string;
  /** Where such addresses lead. */
  placeholder: string;
  /** What is sent, as a sentence. */
  hint: string;
}

export const WEBHOOK_FORMS: readonly WebhookFormChoice[] = [
  {
    form: 'slipway',
    name: 'Slipway’s own JSON',
    placeholder: 'https://chat.example.org/hooks/slipway',
    hint: 'Gets each firing as JSON by POST, up to eight times until it takes it.',
  },
  {
    form: 'slack',
    name: 'Slack, Mattermost',
    placeholder: 'https://hooks.slack.com/services/…',
    hint: 'Gets a message as Slack’s incoming webhooks take it; so do Mattermost’s.',
  },
  {
    form: 'discord',
    name: 'Discord',
    placeholder: 'https://discord.com/api/webhooks/…',
    hint: 'Gets a message that calls nobody.',
  },
  {
    form: 'teams',
    name: 'Teams',
    placeholder: 'https://….logic.azure.com/workflows/…',
    hint: 'Gets a card. The address is that of a workflow that begins with a Teams webhook request.',
  },
  {
    form: 'ntfy',
    name: 'ntfy',
    placeholder: 'https://ntfy.sh/your-topic',
    hint: 'Gets plain text under a title. The address ends with the topic.',
  },
];

/** @returns the choice of a form; of one that is not known here, Slipway’s own. */
export function formChoice(form: WebhookForm): WebhookFormChoice {
  const [own] = WEBHOOK_FORMS;
  const found = WEBHOOK_FORMS.find((choice) => choice.form === form) ?? own;
  if (!found) throw new Error('there are no forms of webhooks');
  return found;
}
