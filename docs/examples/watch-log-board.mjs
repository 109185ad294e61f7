// Signs in to the log board and prints each message of its socket, one JSON object a line. With a part of a source's
// name as an argument it prints the lines of that source, from the last ten on.
// Needs Node 22 or newer, and nothing else.
const board = process.env.LOG_BOARD ?? 'http://localhost:9001';
const { LOG_BOARD_USER: username = 'admin', LOG_BOARD_PASSWORD: password } = process.env;

const wanted = process.argv[2];

async function call(path, options = {}) {
  const response = await fetch(new URL(path, board), {
    method: 'POST',
    ...options,
    headers: { 'content-type': 'application/json', ...options.headers },
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body.message}`);
  return body;
}

const { access_token: token } = await call('/api/auth/login', {
  body: JSON.stringify({ username, password }),
});
const headers = { authorization: `Bearer ${token}` };
const { ticket } = await call('/api/auth/ticket', { headers });

const address = new URL(`/ws?token=${ticket}`, board);
address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
const socket = new WebSocket(address);
socket.onmessage = ({ data }) => (wanted === undefined ? console.log(data) : show(JSON.parse(data)));
socket.onerror = () => console.error('the socket failed');
socket.onclose = ({ code, reason }) => console.error(`closed with ${code}: ${reason}`);

if (wanted !== undefined) {
  const sources = await call('/api/sources', { method: 'GET', headers });
  const source = sources.find(({ name, container, service }) =>
    [name, container, service].filter(Boolean).join('/').includes(wanted),
  );
  if (!source) throw new Error(`there is no source called ${wanted}`);
  const follow = () => socket.send(JSON.stringify({ type: 'subscribe', source: source.id, tail: 10 }));
  if (socket.readyState === WebSocket.OPEN) follow();
  else socket.onopen = follow;
}

function show(message) {
  if (message.type === 'skipped') console.log(`… ${message.count} lines were skipped`);
  if (message.type === 'error') console.error(message.message);
  if (message.type !== 'lines') return;
  for (const [, time, , level, text] of message.lines) {
    // Escapes of terminals are not passed on: a line may hold any.
    console.log(
      new Date(time / 1000).toISOString(),
      level ?? '-',
      text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, ''),
    );
  }
  const last = message.lines.at(-1)[0];
  socket.send(JSON.stringify({ type: 'ack', source: message.source, seq: last }));
}

// Interrupted, it signs out, so that no session is left behind.
process.once('SIGINT', async () => {
  await call('/api/auth/logout', { headers });
});
