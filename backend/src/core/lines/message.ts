import { jsonValue } from '../parsing/index.js';
import type { FieldValue } from './field-value.js';
import { fieldsOf } from './line-fields.js';

/** Fields with the message, in lowercase, the usual ones first. */
const NAMES = [
  ...['message', 'msg', 'event', '@m', '@mt', '@message', 'short_message', 'fields.message', 'body'],
  ...['body.stringvalue', 'record.message', 'textpayload', 'jsonpayload.message', 'renderedmessage'],
  ...['messagetemplate', 'log', 'logevent.message', 'error.message', 'output'],
];
const KLOG = /^[IWEF](?:\d{4}|\d{6}|\d{8}) \d\d:\d\d:\d\d\.\d{1,9}\s{1,10}\d{1,10} ([^\s\]]{1,200})\] /;
const KLOG_MESSAGE = /^"(?:[^"\\]|\\[^])*"(?!=)/;

interface LineParts {
  /** The message of a structured line; otherwise the whole line. */
  message: string;
  /** The other fields; of klog, also the place in the code, whose name is empty. */
  fields: FieldValue[];
  /** Whether the line has a message of its own, and nothing but it and these fields. */
  isWhole: boolean;
}

export function partsOf(text: string): LineParts {
  const header = KLOG.exec(text);
  if (header) return partsOfKlog(text.slice(header[0].length), { name: '', value: header[1] ?? '' });
  const { format, pairs, isWhole } = fieldsOf(text);
  // In a sentence, `event=` is a field, but `msg=` is the message.
  const names = format === 'json' || /^\s{0,20}[^\s=]{1,100}=/.test(text) ? NAMES : NAMES.slice(0, 2);
  const lower = pairs.map(({ name }) => name.toLowerCase());
  for (const name of names) {
    const index = lower.indexOf(name);
    const message = pairs[index]?.value;
    // auditd begins its records with `msg=audit(…)`, which is their id.
    if (message && !message.startsWith('audit(')) {
      return { message, fields: pairs.toSpliced(index, 1), isWhole };
    }
  }
  return { message: text, fields: [], isWhole: false };
}

function partsOfKlog(text: string, place: FieldValue): LineParts {
  const quoted = KLOG_MESSAGE.exec(text)?.[0] ?? '';
  const message = jsonValue(quoted);
  const { pairs, isWhole } = fieldsOf(text.slice(quoted.length));
  if (typeof message === 'string') {
    return isWhole || quoted.length === text.trimEnd().length
      ? { message, fields: [...pairs, place], isWhole: true }
      : { message, fields: [], isWhole: false };
  }
  // The format of earlier versions: `"msg"="syncing" "key"="shop/web"`.
  const index = text.includes('"msg"=') ? pairs.findIndex(({ name }) => name === 'msg') : -1;
  const earlier = pairs[index]?.value;
  return earlier && isWhole
    ? { message: earlier, fields: [...pairs.toSpliced(index, 1), place], isWhole }
    : { message: earlier || text, fields: [place], isWhole: !earlier };
}
