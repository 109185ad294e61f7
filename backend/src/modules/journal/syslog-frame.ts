import { hostname } from 'node:os';
import type { JournalEntry } from './journal-entry.js';

const LOG_AUDIT = 13;
const WARNING = 4;
const INFORMATIONAL = 6;

/** A header field of RFC 5424, which has only printable ASCII. */
function field(text: string, length: number): string {
  return text.replace(/[^!-~]/g, '').slice(0, length) || '-';
}

/** An entry as a syslog message (RFC 5424) with its length in front (RFC 6587, 3.4.1). Its text is JSON in ASCII. */
export function syslogFrame(entry: JournalEntry, host = hostname()): string {
  const isFine = ['started', 'succeeded'].includes(entry.outcome);
  const priority = LOG_AUDIT * 8 + (isFine ? INFORMATIONAL : WARNING);
  const json = JSON.stringify(entry).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const message = `<${priority}>1 ${entry.time} ${field(host, 255)} slipway ${process.pid} ${field(entry.kind, 32)} - ${json}`;
  return `${message.length} ${message}`;
}
