import { BuiltServer } from './built-server.mjs';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, say } from './process.mjs';

/** Boots what was built, as a user's machine would: tests that run from the sources cannot show that it loads. */
await ensureInstalled();
await ensureBuilt();
const PASSWORD = 'only for this start';
const server = await BuiltServer.start({ APP_RUNTIME: 'demo', APP_PASS: PASSWORD });
const wrong = [];
try {
  const health = await (await fetch(`${server.url}/api/v1/health`)).json();
  if (health.status !== 'ok') wrong.push(`health says ${JSON.stringify(health)}`);
  for (const [path, type] of [
    ['/clusters', 'text/html'],
    ['/docs', 'text/html'],
    ['/redoc', 'text/html'],
    ['/openapi.json', 'application/json'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/api/v1/docs/readme', 'text/markdown'],
    ['/readme/docs/screenshots/clusters-light.png', 'image/png'],
  ]) {
    const answer = await fetch(server.url + path, { headers: { accept: type } });
    const got = answer.headers.get('content-type') ?? '';
    if (answer.status !== 200 || !got.startsWith(type)) wrong.push(`${path} answers ${answer.status} ${got}`);
  }
  const signIn = await fetch(`${server.logBoardUrl}/logs`, { headers: { accept: 'text/html' } });
  if (signIn.status !== 200 || new URL(signIn.url).pathname !== '/login') {
    wrong.push(`the log board answers ${signIn.status} at ${signIn.url} without a session`);
  }
  const login = await fetch(`${server.logBoardUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  const { access_token: token } = await login.json();
  const me = await fetch(`${server.logBoardUrl}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (me.status !== 200)
    wrong.push(`the log board answers a sign-in ${login.status}, and its token ${me.status}`);
} finally {
  const status = await server.stop();
  if (status !== 0) wrong.push(`it ended with status ${status}:\n${server.output}`);
}
if (wrong.length > 0) fail(wrong.join('\n'));
say(
  `the built server was healthy after ${Math.round(server.healthyAfterMs)} ms, let in who signed in, and stopped`,
);
