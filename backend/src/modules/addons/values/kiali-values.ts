import { isRecord, recordOf } from '../../../core/values/index.js';
import { stringify as writeYaml } from '../../../core/yaml/index.js';
import {
  lineOf,
  parseValues,
  valuesRefused,
  type Values,
} from '../../../drivers/package-manager/values/index.js';

export const MASKED_KEY = '<kept by Slipway>';

/**
 * Returns the values unchanged, or with the settings for a Kiali without a sign-in.
 * @param places paths of Kiali's values, from `kialiPaths`.
 * @throws DomainError `values_refused`
 */
export function preparedValues(given: string, places: readonly string[][], signingKey: string): string {
  let values = parseValues(given);
  for (const place of places) values = anonymousKiali(values, place, signingKey, given);
  return places.length === 0 ? given : valuesText(values);
}

/** Masks Kiali's signing key, which is a secret that the user did not supply. */
export function shownKialiValues(text: string, place: readonly string[]): string {
  return valuesText(maskSigningKey(parseValues(text), place));
}

/** The paths of Kiali's values in a chart's values; empty for a chart without Kiali. */
export function kialiPaths({
  name,
  dependencies,
}: {
  name: string;
  dependencies: readonly string[];
}): string[][] {
  if (name === 'kiali-server') return [[]];
  if (name === 'kiali-operator') return [['cr', 'spec']];
  // The values of a dependency are nested under its name.
  return dependencies.includes('kiali-server') ? [['kiali-server']] : [];
}

/** Keys of sign-in settings, in lowercase and without separators. */
const SIGN_IN =
  /^(login|passphrase|password|passwd|username|credentials?|authstrategy|loginstrategy|signin)$/;
const MAX_PROBLEMS = 10;
/** Credentials for Prometheus and others do not affect Kiali's users. */
const OUTBOUND = new Set(['external_services']);

/**
 * The values for a Kiali that opens without a sign-in: `auth.strategy` is anonymous, the signing key is Slipway's, and
 * unless the values say otherwise, it is read-only.
 * @param place path of Kiali's values.
 * @throws DomainError `values_refused` for values that enable a sign-in.
 */
function anonymousKiali(given: Values, place: readonly string[], signingKey: string, text: string): Values {
  const own = readAt(given, place);
  const placeOf = lineOf(text);
  const problems = signIns(own, [])
    .slice(0, MAX_PROBLEMS)
    .map((path) => ({
      ...(placeOf([...place, ...path]) ?? { line: null, column: null }),
      path: [...place, ...path].join('.'),
      problem: 'enables a sign-in, but Kiali runs without one',
    }));
  if (problems.length > 0) {
    throw valuesRefused(
      `Slipway installs Kiali without a sign-in (auth.strategy: anonymous), but these values enable one: ${problems.map(({ path }) => path).join(', ')}. Remove them. The port-forward to Kiali only admits browsers that opened it from Slipway.`,
      problems,
    );
  }
  const { view_only_mode = true, ...deployment } = recordOf(own['deployment']);
  return writeAt(given, place, {
    ...own,
    auth: { strategy: 'anonymous' },
    login_token: { ...recordOf(own['login_token']), signing_key: signingKey },
    deployment: { ...deployment, view_only_mode },
  });
}

function maskSigningKey(values: Values, place: readonly string[]): Values {
  const own = readAt(values, place);
  const token = recordOf(own['login_token']);
  if (token['signing_key'] === undefined) return values;
  return writeAt(values, place, { ...own, login_token: { ...token, signing_key: MASKED_KEY } });
}

function valuesText(values: Values): string {
  return Object.keys(values).length === 0 ? '' : writeYaml(values, { lineWidth: 0 });
}

function signIns(values: Values, above: readonly string[]): string[][] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = [...above, key];
    const plain = key.toLowerCase().replace(/[^a-z]/g, '');
    if (above.length === 0) {
      if (OUTBOUND.has(key)) return [];
      if (plain === 'auth') return unlessAnonymous(value, path);
      if (key === 'login_token') return foreignKey(value, path);
    }
    if (SIGN_IN.test(plain)) return [path];
    return isRecord(value) ? signIns(value, path) : [];
  });
}

function unlessAnonymous(auth: unknown, path: string[]): string[][] {
  if (auth === null || auth === undefined) return [];
  if (path.at(-1) !== 'auth' || !isRecord(auth)) return [path];
  return Object.entries(auth).flatMap(([key, value]) =>
    key === 'strategy' && (value === 'anonymous' || value === null || value === '') ? [] : [[...path, key]],
  );
}

function foreignKey(token: unknown, path: string[]): string[][] {
  const key = recordOf(token)['signing_key'];
  return key === undefined || key === MASKED_KEY || key === '' || key === null
    ? []
    : [[...path, 'signing_key']];
}

function readAt(values: Values, [first, ...rest]: readonly string[]): Values {
  return first === undefined ? values : readAt(recordOf(values[first]), rest);
}

function writeAt(values: Values, [first, ...rest]: readonly string[], own: Values): Values {
  return first === undefined ? own : { ...values, [first]: writeAt(recordOf(values[first]), rest, own) };
}
