import { expect, open, test } from './support/board-fixtures.js';
import { ScriptedLogs } from './support/scripted-logs.js';

const POD = { kind: 'pod', cluster: 'dev', workload: 'Deployment/cart' } as const;

test('the focus stays in the tree when its row is removed or hidden', async ({ page }) => {
  const logs = new ScriptedLogs();
  const pods = ['aaaaa', 'bbbbb', 'ccccc'].map((end) =>
    logs.add({ ...POD, namespace: 'shop', key: `pod/${end}`, name: `cart-7d9f8b6c54-${end}` }, 5),
  );
  const redis = logs.add({ name: 'redis' }, 5);
  logs.add({ name: 'worker', state: 'gone' }, 5);
  await logs.serve(page);
  await open(page, '/logs');
  await page.getByRole('button', { name: 'Hide deleted sources' }).click();
  const tree = page.getByRole('tree', { name: 'Sources' });
  const row = (name: string | RegExp): ReturnType<typeof tree.getByRole> =>
    tree.getByRole('treeitem', { name });
  await row('redis').focus();
  await page.keyboard.press('c');
  await page.keyboard.press('ArrowDown');
  await expect(row('cart bbbbb')).toBeFocused();
  const [first, second, third] = pods;
  if (!first || !second || !third) throw new Error('there are three');
  logs.change(second, { state: 'gone' });
  await expect(row('cart ccccc')).toBeFocused();
  logs.change(third, { state: 'gone' });
  await expect(row('Other containers')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row('redis')).toBeFocused();
  // A focus outside the tree stays.
  const field = page.getByRole('searchbox', { name: 'Filter sources' });
  await field.focus();
  logs.change(redis, { state: 'gone' });
  await expect(row('redis')).toHaveCount(0);
  await expect(field).toBeFocused();
  // With the last row, the focus moves to the filter.
  await row('cart aaaaa').focus();
  logs.change(first, { state: 'gone' });
  await expect(page.getByText('All matching sources are deleted and hidden.')).toBeVisible();
  await expect(field).toBeFocused();
});

test('hidden deleted sources can be found, shown and deselected', async ({ page }) => {
  const logs = new ScriptedLogs();
  logs.add({ ...POD, namespace: 'shop', key: 'pod/live', name: 'cart-7d9f8b6c54-aaaaa' }, 5);
  logs.add({ ...POD, namespace: 'past', key: 'pod/past', name: 'cart-7d9f8b6c54-bbbbb', state: 'gone' }, 5);
  logs.add({ name: 'mongo', state: 'gone' }, 5);
  await logs.serve(page);
  await open(page, '/logs');
  await page.getByRole('button', { name: 'Hide deleted sources' }).click();
  await page.getByRole('searchbox', { name: 'Filter sources' }).fill('mongo');
  await expect(page.getByText('All matching sources are deleted and hidden.')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'Sources' });
  await expect(tree.getByRole('treeitem').first()).toBeFocused();
  await expect(tree.getByRole('treeitem', { name: 'mongo' })).toBeVisible();
  await page.getByRole('button', { name: 'Hide deleted sources' }).click();

  // The address selects it, and the tree shows its state.
  await page.goto('/logs?runtime=docker&cluster=dev&namespace=past');
  await expect(page.locator('.ll')).toHaveCount(5);
  const past = tree.getByRole('treeitem', { name: 'past deleted' });
  await expect(past).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
  await past.focus();
  await page.keyboard.press(' ');
  await expect(past).toHaveCount(0);
  await expect(tree.getByRole('treeitem', { name: 'shop' })).toBeFocused();
  await page.goto('/logs?container=mongo');
  await expect(page.locator('.ll')).toHaveCount(5);
  await expect(tree.getByRole('treeitem', { name: 'mongo deleted' })).toHaveAttribute('aria-checked', 'true');
});
