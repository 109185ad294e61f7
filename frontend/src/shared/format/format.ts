/** Formatting of numbers and times. Sizes are decimal, as in disks and engines. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** A number of bytes, such as `704.7 MB`. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined || !Number.isFinite(bytes)) return '–';
  let value = Math.max(0, bytes);
  let unit = 0;
  // 999.95 would round to 1000.0.
  while (value >= 999.95 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? 'B'}`;
}

/** Bytes per second. */
export function formatRate(bytesPerSecond: number | null | undefined): string {
  return bytesPerSecond === null || bytesPerSecond === undefined ? '–' : `${formatBytes(bytesPerSecond)}/s`;
}

/** A percentage, rounded down, so that 100 means complete. */
export function formatPercent(percent: number | null | undefined): string {
  if (percent === null || percent === undefined || !Number.isFinite(percent)) return '–';
  if (percent > 0 && percent < 1) return '<1 %';
  return `${Math.floor(percent)} %`;
}

/** Used cores from a percentage where 100 is one core. */
export function formatCores(cpuPercent: number | null | undefined): string {
  return cpuPercent === null || cpuPercent === undefined ? '–' : (cpuPercent / 100).toFixed(2);
}

/** A duration: `< 0.1 s`, `0.4 s`, `11 s`, `2 min 5 s`, `3 h 4 min`, `3 d 4 h`. */
export function formatDuration(milliseconds: number | null | undefined): string {
  if (milliseconds === null || milliseconds === undefined || !Number.isFinite(milliseconds)) return '–';
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 0.05) return '< 0.1 s';
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return formatSpan(seconds);
}

/** A duration in whole seconds, for running timers. */
export function formatElapsed(milliseconds: number): string {
  return formatSpan(Math.max(0, milliseconds) / 1000);
}

function formatSpan(seconds: number): string {
  const whole = Math.floor(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 10) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/** A relative time: `just now`, `12 s ago`, `4 min ago`; the time or the date after an hour. */
export function formatAgo(time: string | number | Date, now: number): string {
  const then = new Date(time).getTime();
  if (Number.isNaN(then)) return '–';
  const elapsed = now - then;
  if (elapsed < 2000) return $localize`just now`;
  if (elapsed < 3_600_000) {
    const span = formatSpan(Math.floor(elapsed / 1000))
      .split(' ')
      .slice(0, 2)
      .join(' ');
    return $localize`${span}:duration: ago`;
  }
  return formatMoment(time, now);
}

/** `14:02` today, `yesterday at 18:02`, `9 Nov`, `9 Nov 2025`. */
export function formatMoment(time: string | number | Date, now: number): string {
  const then = new Date(time);
  if (Number.isNaN(then.getTime())) return '–';
  const today = new Date(now);
  const clock = formatClock(then).slice(0, 5);
  if (isSameDay(then, today)) return $localize`at ${clock}:time:`;
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (isSameDay(then, yesterday)) return $localize`yesterday at ${clock}:time:`;
  const date = $localize`${then.getDate()}:day: ${MONTHS[then.getMonth()] ?? ''}:month:`;
  return then.getFullYear() === today.getFullYear()
    ? date
    : $localize`${date}:date: ${then.getFullYear()}:year:`;
}

/** The local time of day, `09:26:44`. */
export function formatClock(time: string | number | Date): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '–';
  return [at.getHours(), at.getMinutes(), at.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** The local date and time: `2026-11-21 09:26:44`. */
export function formatFull(time: string | number | Date): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '–';
  return `${formatDay(at)} ${formatClock(at)}`;
}

/** The local date: `2026-11-21`. */
export function formatDay(time: number | Date): string {
  const at = new Date(time);
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/** The locale of the build. A development build has none. */
const LOCALE = $localize.locale ?? 'en';

/** `950`, `12,000`. */
export function formatCount(count: number): string {
  // The first use of a locale takes 20 ms in Chromium, which no page should need to open.
  return count < 1000 ? String(count) : count.toLocaleString(LOCALE);
}

type PluralMessages = { one: string; other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/**
 * The message for a count, by the plural category of the locale.
 *
 * @param messages one message per category; receives the formatted count
 */
export function plural(count: number, messages: (count: string) => PluralMessages): string {
  const texts = messages(formatCount(count));
  if (LOCALE.startsWith('en')) return count === 1 ? texts.one : texts.other;
  return texts[new Intl.PluralRules(LOCALE).select(count)] ?? texts.other;
}

// Nouns with a count, for figures and for sentences with several counts.

export const attemptCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: attempt`, other: $localize`${n}:count: attempts` }));
export const clusterCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: cluster`, other: $localize`${n}:count: clusters` }));
export const containerCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: container`, other: $localize`${n}:count: containers` }));
export const controlPlaneCount = (count: number): string =>
  plural(count, (n) => ({
    one: $localize`${n}:count: control plane`,
    other: $localize`${n}:count: control planes`,
  }));
export const coreCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: core`, other: $localize`${n}:count: cores` }));
export const dayCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: day`, other: $localize`${n}:count: days` }));
export const documentCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: document`, other: $localize`${n}:count: documents` }));
export const fileCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: file`, other: $localize`${n}:count: files` }));
export const hourCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: hour`, other: $localize`${n}:count: hours` }));
export const imageCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: image`, other: $localize`${n}:count: images` }));
export const jobCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: job`, other: $localize`${n}:count: jobs` }));
export const lineCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: line`, other: $localize`${n}:count: lines` }));
export const loadBalancerCount = (count: number): string =>
  plural(count, (n) => ({
    one: $localize`${n}:count: load balancer`,
    other: $localize`${n}:count: load balancers`,
  }));
export const matchCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: match`, other: $localize`${n}:count: matches` }));
export const minuteCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: minute`, other: $localize`${n}:count: minutes` }));
export const newLineCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: new line`, other: $localize`${n}:count: new lines` }));
export const nodeCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: node`, other: $localize`${n}:count: nodes` }));
export const nodeImageCount = (count: number): string =>
  plural(count, (n) => ({
    one: $localize`${n}:count: node image`,
    other: $localize`${n}:count: node images`,
  }));
export const nodeVolumeCount = (count: number): string =>
  plural(count, (n) => ({
    one: $localize`${n}:count: node volume`,
    other: $localize`${n}:count: node volumes`,
  }));
export const objectCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: object`, other: $localize`${n}:count: objects` }));
export const podCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: pod`, other: $localize`${n}:count: pods` }));
export const problemCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: problem`, other: $localize`${n}:count: problems` }));
export const restartCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: restart`, other: $localize`${n}:count: restarts` }));
export const secondCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: second`, other: $localize`${n}:count: seconds` }));
export const sessionCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: session`, other: $localize`${n}:count: sessions` }));
export const sourceCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: source`, other: $localize`${n}:count: sources` }));
export const volumeCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: volume`, other: $localize`${n}:count: volumes` }));
export const volumeClaimCount = (count: number): string =>
  plural(count, (n) => ({
    one: $localize`${n}:count: volume claim`,
    other: $localize`${n}:count: volume claims`,
  }));
export const warningCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: warning`, other: $localize`${n}:count: warnings` }));
export const workerCount = (count: number): string =>
  plural(count, (n) => ({ one: $localize`${n}:count: worker`, other: $localize`${n}:count: workers` }));

/** `a`, `a and b`, `a, b, and c`; with `or` for a disjunction. */
export function formatList(
  parts: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return parts.length < 2 ? (parts[0] ?? '') : new Intl.ListFormat(LOCALE, { type }).format(parts);
}

/** A reason as a sentence: capital letter first, period last. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  // Names such as staging-worker keep their case.
  const sentence = /^[a-z0-9.]+-/.test(trimmed)
    ? trimmed
    : trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Shortens ids of 64 hex digits to 12, as container engines do. */
export function shortenIds(text: string): string {
  return text.replace(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1');
}

export const MONTHS =
  $localize`:The short months, separated by spaces:Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec`.split(
    ' ',
  );

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

/** Of a node's port on the host, such as `8080 → 80` or `5353 → 53/UDP`. */
export function portText(port: { host_port: number; container_port: number; protocol: string }): string {
  const suffix = port.protocol === 'TCP' ? '' : `/${port.protocol}`;
  return `${port.host_port} → ${port.container_port}${suffix}`;
}
