import { CliError } from '../cli-error.js';
import type { ApiClient } from './api-client.js';

/** The tag of the node image for clusters without a choice. @throws CliError if none is known. */
export async function bestTag(api: Pick<ApiClient, 'get'>, howToChoose: string): Promise<string> {
  const { default_tag } = await api.get('/api/v1/versions');
  if (default_tag !== null) return default_tag;
  throw new CliError(`No node image is known. ${howToChoose}`);
}
