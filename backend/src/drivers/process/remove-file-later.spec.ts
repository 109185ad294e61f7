import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { temporaryFolder } from '../../../../test/support/server/server-process.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { removeFileLater } from './remove-file-later.js';

it('removeFileLater removes a file after the time', async () => {
  const { path, remove } = await temporaryFolder();
  const file = join(path, 'open page.html');
  writeFileSync(file, '');
  removeFileLater(file, 1);
  await waitFor(() => !existsSync(file), 'the removal of the file');
  await remove();
});
