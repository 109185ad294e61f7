/** A webhook was not reached; the message holds its host at most, since the rest of an address may be a secret. */
export class WebhookError extends Error {}

/** Hands messages to webhooks: servers outside that somebody named. */
export abstract class WebhookSender {
  /** Why an address may not be a webhook's, as it continues "the address …", or null where it may. */
  abstract problemOf(url: URL): Promise<string | null>;

  /**
   * Sends one message, once, to this very place: a redirect is an answer.
   * @returns the status of the answer, whatever it is; its body is not read.
   * @throws WebhookError where there is no answer, or the place may not be asked (any more).
   */
  abstract post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number>;
}
