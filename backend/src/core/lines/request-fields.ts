import type { FieldValue } from './field-value.js';

/** The names that a line of an access log does not contain itself. */
export const REQUEST_FIELDS: ReadonlySet<string> = new Set(['method', 'path', 'status', 'duration']);

/** As the common and the combined format, nginx, Envoy, Traefik and Django write it. */
const REQUEST = /"([A-Z]{3,16}) ([^"\s]{1,8000}) HTTP\/[\d.]{1,3}" (\d{1,3})(?= |$)/;
/** Behind the status, of Envoy in milliseconds: flags, details of Istio, bytes received and sent, and the duration. */
const ENVOY_START = /^\[\d{4}-\d\d-\d\dT/;
const ENVOY = /^ \S{1,100} (?:\S{1,200} \S{1,100} "[^"]{0,1000}" )?\d{1,15} \d{1,15} (\d{1,12}) /;
/** Of the ingress controller of nginx in seconds, behind the length of the request; of Traefik at the end of the line. */
const DURATION = /" \d{1,12} (\d{1,9}\.\d{3}) \[|" (\d{1,12}ms)$/;

/** Whether a line may have fields of a request. */
export function mayHaveRequest(text: string): boolean {
  return text.includes(' HTTP/');
}

/** The request of a line of an access log; empty for another line. The values are written in the line as they are. */
export function requestFields(text: string): FieldValue[] {
  const found = mayHaveRequest(text) ? REQUEST.exec(text) : null;
  if (!found) return [];
  const [request, method = '', path = '', status = ''] = found;
  const rest = text.slice(found.index + request.length);
  const timed = ENVOY_START.test(text) ? ENVOY.exec(rest) : DURATION.exec(rest);
  const duration = timed?.[1] ?? timed?.[2];
  return [
    { name: 'method', value: method },
    { name: 'path', value: path },
    { name: 'status', value: status },
    ...(duration === undefined ? [] : [{ name: 'duration', value: duration }]),
  ];
}
