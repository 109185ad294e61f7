import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The header with the token of the dashboard's owner, which is in the data folder while the dashboard runs. */
export function ownerBearer(dataDirectory: string): { authorization: string } {
  const text = readFileSync(join(dataDirectory, 'dashboard.json'), 'utf8');
  return { authorization: `Bearer ${(JSON.parse(text) as { token: string }).token}` };
}
