/** A date and a time, also in brackets, with what separates it from the message. */
const TIME =
  /^[[(]?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? {0,2}(Z|UTC|[+-]\d\d:?\d\d)?(?:[\])]|(?=[\s|,]))[\s|,]{0,8}(?:- )?/;

/** Between the program and the engine that receives its line. */
const TOLERANCE_MS = 2000;
/** Offsets of time zones are multiples of it. */
const ZONE_STEP_MS = 900_000;

/**
 * The message without the time at its start, if that repeats the line's own. A time without a zone may be of any.
 * @param time of the line, in microseconds
 */
export function withoutRepeatedTime(message: string, time: number): string {
  const found = TIME.exec(message);
  if (!found || found[0].length === message.length) return message;
  const [repeated, year, month, day, clock, fraction = '0', zone] = found;
  const offset = zone === undefined || zone === 'UTC' ? 'Z' : zone.replace(/^(.\d\d):?(\d\d)$/, '$1:$2');
  const written = Date.parse(`${year}-${month}-${day}T${clock}.${fraction.slice(0, 3)}${offset}`);
  const apart = Math.abs(written - time / 1000);
  const beyond =
    zone === undefined ? Math.min(apart % ZONE_STEP_MS, ZONE_STEP_MS - (apart % ZONE_STEP_MS)) : apart;
  const isNear = apart <= (zone === undefined ? 14 * 3_600_000 : 0) + TOLERANCE_MS;
  return isNear && beyond <= TOLERANCE_MS ? message.slice(repeated.length) : message;
}
