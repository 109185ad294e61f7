/** A failed delivery. The message only contains the host, because the rest of the URL may be a secret. */
export class WebhookError extends Error {}

export abstract class WebhookSender {
  /** Why a URL is not allowed, to continue a sentence; null if it is allowed. */
  abstract problemOf(url: URL): Promise<string | null>;

  /**
   * Sends a message once, without following redirects.
   * @returns the status of the response.
   * @throws WebhookError if there is no response, or the URL is not allowed (any more).
   */
  abstract post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<number>;
}
