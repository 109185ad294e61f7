import { plainLine } from '../../../core/logging/redaction.js';

/**
 * Removes escape sequences and control characters from a text of several lines, except tabs and line ends. Names and logs
 * come from clusters and containers, which must not control the user's terminal.
 */
export function plainText(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(plainLine).join('\t'))
    .join('\n');
}
