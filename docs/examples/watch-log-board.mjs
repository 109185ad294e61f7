// Signs in to the log board and prints each message of its socket, one JSON object a line.
// Needs Node 22 or newer, and nothing else.
const board = process.env.LOG_BOARD ?? 'http://localhost:9001';
const { LOG_BOARD_USER: username = 'admin', LOG_BOARD_PASSWORD: password } = process.env;

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
socket.onmessage = ({ data }) => console.log(data);
socket.onerror = () => console.error('the socket failed');
socket.onclose = ({ code, reason }) => console.error(`closed with ${code}: ${reason}`);

// Interrupted, it signs out, so that no session is left behind.
process.once('SIGINT', async () => {
  await call('/api/auth/logout', { headers });
});
