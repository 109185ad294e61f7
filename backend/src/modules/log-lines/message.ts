import { jsonValue } from '../../core/parsing/index.js';
import { fieldsOf } from '../../drivers/log-store/index.js';

/** Fields with the message, in lowercase, the usual ones first. */
const NAMES = [
  ...['message', 'msg', 'event', '@m', '@mt', '@message', 'short_message', 'fields.message', 'body'],
  ...['body.stringvalue', 'record.message', 'textpayload', 'jsonpayload.message', 'renderedmessage'],
  ...['messagetemplate', 'log'],
];
const KLOG = /^[IWEF](?:\d{4}|\d{6}|\d{8}) \d\d:\d\d:\d\d\.\d{1,9}\s{1,10}\d{1,10} [^\s\]]{1,200}\] /;
const KLOG_MESSAGE = /^"(?:[^"\\]|\\[^])*"(?!=)/;

/** The message of a structured line; otherwise the whole line. */
export function messageOf(text: string): string {
  const header = KLOG.exec(text);
  if (header) {
    const rest = text.slice(header[0].length);
    const message = jsonValue(KLOG_MESSAGE.exec(rest)?.[0] ?? '');
    if (typeof message === 'string') return message;
    // The format of earlier versions: `"msg"="syncing" "key"="shop/web"`.
    return (
      (rest.includes('"msg"=') && fieldsOf(rest).pairs.find(({ name }) => name === 'msg')?.value) || rest
    );
  }
  const { format, pairs } = fieldsOf(text);
  // In a sentence, `event=` is a field, but `msg=` is the message.
  const names = format === 'json' || /^\s{0,20}[^\s=]{1,100}=/.test(text) ? NAMES : NAMES.slice(0, 2);
  const lower = pairs.map(({ name }) => name.toLowerCase());
  for (const name of names) {
    const value = pairs[lower.indexOf(name)]?.value;
    // auditd begins its records with `msg=audit(…)`, which is their id.
    if (value && !value.startsWith('audit(')) return value;
  }
  return text;
}
