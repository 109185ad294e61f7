import { expectAccessible } from './support/accessibility.js';
import { expect, test } from './support/fixtures.js';

const README = `# Slipway

![The list](docs/screenshots/none.png) ![Far](https://example.org/x.png)

See [the second part](#second-part), [kind](https://kind.sigs.k8s.io) and [the rules](CONTRIBUTING.md).

## First part

\`\`\`sh
npm start
\`\`\`

${'A long paragraph.\n\n'.repeat(40)}

## Second part

| Variable | Meaning |
|---|---|
| \`APP_PORT\` | ${'a long meaning '.repeat(20)} |

### Fine division

<img src=x onerror="document.title = 'broken in'"> <a href="javascript:document.title='broken in'">x</a>

## Third part

${'The end.\n\n'.repeat(40)}
`;

test('navigates by links and contents, copies code and blocks scripts', async ({ page, context, guard }) => {
  // Blocked twice: by the sanitizer, and by the content security policy while the sanitizer parses it.
  guard.expect(
    /404.*\/readme\/docs\/screenshots\/none\.png/,
    /inline event handler/,
    /script-src-attr refused inline/,
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.route('**/api/v1/docs/readme', (route) =>
    route.fulfill({ body: README, contentType: 'text/markdown' }),
  );
  await page.goto('/documentation');
  const article = page.getByRole('article');
  await expect(article.getByText('The list')).toBeVisible();
  await expect(article.getByText('Far', { exact: true })).toBeVisible();
  await expect(article.getByTitle(/CONTRIBUTING\.md/)).toHaveText('the rules');
  await expect(article.getByRole('link', { name: 'kind' })).toHaveAttribute('target', '_blank');

  await article.getByRole('button', { name: 'Copy' }).click();
  await expect(article.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('npm start');

  const second = article.getByRole('heading', { name: /^Second part/ });
  await expect(second).not.toBeInViewport();
  await article.getByRole('link', { name: 'the second part' }).click();
  await expect(second).toBeInViewport();
  await expect(page).toHaveURL(/\/documentation#second-part$/);
  const contents = page.getByRole('navigation', { name: 'Documentation' });
  await expect(contents.getByRole('link', { name: 'Second part' })).toHaveAttribute(
    'aria-current',
    'location',
  );
  await contents.getByRole('link', { name: 'First part' }).click();
  await expect(article.getByRole('heading', { name: /^First part/ })).toBeInViewport();
  await expect(page).toHaveURL(/#first-part$/);

  await page.goto('/documentation#third-part');
  await expect(article.getByRole('heading', { name: /^Third part/ })).toBeInViewport();
  expect(await page.title()).toBe('Documentation · Slipway');
});

test('renders the project README, opens pages and follows links between them', async ({ page, guard }) => {
  guard.expect(/404.*\/api\/v1\/docs\/nothing/);
  await page.goto('/documentation');
  await expect(page.getByRole('heading', { level: 1, name: /^Slipway/ })).toBeVisible();
  await expect(page.getByRole('article').getByRole('img').first()).toBeVisible();
  await expect
    .poll(() => page.evaluate<number>(`document.querySelector('.prose img')?.naturalWidth ?? 0`))
    .toBeGreaterThan(0);
  const navigation = page.getByRole('navigation', { name: 'Documentation' });
  await navigation.getByRole('link', { name: 'Addons' }).click();
  await expect(page).toHaveURL(/\/documentation\/addons$/);
  await expect(page.getByRole('heading', { level: 1, name: /^Addons/ })).toBeVisible();
  await expect(page).toHaveTitle('Addons · Slipway');
  await expect(navigation.getByRole('link', { name: 'Addons' })).toHaveAttribute('aria-current', 'page');
  await expectAccessible(page);

  // Without reloading the application.
  await page.evaluate('window.kept = true');
  await page.getByRole('article').getByRole('link', { name: 'helm', exact: true }).click();
  await expect(page).toHaveURL(/\/documentation\/install#requirements$/);
  await expect(page.getByRole('heading', { name: /^Requirements/ })).toBeInViewport();
  expect(await page.evaluate('window.kept')).toBe(true);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: /^Addons/ })).toBeVisible();

  await page.goto('/documentation/nothing');
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Documentation' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Slipway/ })).toBeVisible();
});

test('searches all pages and opens a section', async ({ page }) => {
  await page.goto('/documentation/install');
  await expect(page.getByRole('article')).toBeVisible();
  await page.keyboard.press('/');
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await expect(field).toBeFocused();
  await field.fill('webhooks redirects');
  const results = page.getByRole('region', { name: 'Search results' });
  const found = results.getByRole('listitem').filter({ hasText: 'Alerts' }).first();
  await expect(found.getByRole('link')).toHaveText('Webhooks');
  await expect(found.locator('mark').first()).toBeVisible();
  await expect(results.getByRole('status')).toHaveText(/section/);
  await found.getByRole('link').click();
  await expect(page).toHaveURL(/\/documentation\/alerts#webhooks$/);
  await expect(page.getByRole('heading', { name: /^Webhooks/ })).toBeInViewport();
  await expect(field).toHaveValue('');

  await field.fill('zzz nothing');
  await expect(results.getByRole('heading', { name: 'No results' })).toBeVisible();
  await field.press('Escape');
  await expect(page.getByRole('article')).toBeVisible();
});
