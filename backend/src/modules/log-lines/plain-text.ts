/**
 * Terminal escape sequences, and control characters except tabs. The alternatives start differently and have bounded
 * lengths, so that matching takes linear time. Of an unterminated sequence, such as a title, only the start is removed:
 * the rest is text.
 */
const CONTROL_SEQUENCES =
  /\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_](?:[^\x07\x1b]{0,4096}(?:\x07|\x1b\\))?|[ -/]{0,8}[0-~])?|[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;

export function plainText(text: string): string {
  return text.replace(CONTROL_SEQUENCES, '');
}
