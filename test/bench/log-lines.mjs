/** Lines as programs write them: plain, JSON and logfmt, about 180 bytes each. The same for the same number. */
const LEVELS = ['info', 'info', 'info', 'info', 'info', 'debug', 'debug', 'warn', 'error'];
const PATHS = ['/v1/payments', '/v1/orders', '/healthz', '/v1/orders/search', '/metrics', '/v1/customers'];
const TROUBLES = [
  'upstream timeout after 5000ms',
  'connection refused by 10.244.1.17:5432',
  'retrying in 250ms',
  'circuit breaker open for inventory',
];
const BEGIN = Date.UTC(2026, 10, 21, 9, 40) * 1000;

/** Spreads a number, so that neighbors have nothing in common. */
function mixed(number) {
  let value = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

export function timeOf(number) {
  return BEGIN + number * 400;
}

export function logLine(number) {
  const one = mixed(number);
  const two = mixed(one);
  const level = LEVELS[one % LEVELS.length];
  const status = one % 50 === 0 ? 500 + (two % 5) : 200 + (two % 3);
  const order = `o-${10_000 + (two % 90_000)}`;
  const path = PATHS[two % PATHS.length];
  const trace = one.toString(16).padStart(8, '0') + two.toString(16).padStart(8, '0');
  const trouble = level === 'error' || level === 'warn' ? TROUBLES[two % TROUBLES.length] : 'request served';
  const time = new Date(timeOf(number) / 1000).toISOString();
  let text;
  if (number % 3 === 0) {
    text = `${time} ${level.toUpperCase().padEnd(5)} [worker-${one % 16}] c.e.payments.OrderService - ${trouble}: order=${order} status=${status} path=${path} duration=${two % 997}ms trace=${trace}`;
  } else if (number % 3 === 1) {
    text = `{"time":"${time}","level":"${level}","msg":"${trouble}","order":"${order}","status":${status},"path":"${path}","duration_ms":${two % 997},"trace_id":"${trace}","user":"u-${one % 5000}"}`;
  } else {
    text = `time=${time} level=${level} msg="${trouble}" order=${order} status=${status} method=GET path=${path} duration=${two % 997}ms trace=${trace} user=u-${one % 5000}`;
  }
  return { time: timeOf(number), stream: 'stdout', level, text, cut: 0, continues: false };
}
