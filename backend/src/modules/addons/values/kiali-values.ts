import { stringify as writeYaml } from '../../../core/yaml/index.js';
import {
  isMap,
  lineOf,
  parseValues,
  valuesRefused,
  type Values,
} from '../../../drivers/package-manager/values/index.js';

/** Stands where Slipway puts the signing key that it keeps. */
export const KEPT_KEY = '<kept by Slipway>';

/**
 * The values that helm is given: as they were sent, or those of a Kiali without a sign-in.
 * @param places of Kiali's own values, as `kialiPlaces` names them.
 * @throws DomainError `values_refused`
 */
export function preparedValues(given: string, places: readonly string[][], signingKey: string): string {
  let values = parseValues(given);
  for (const place of places) values = anonymousKiali(values, place, signingKey, given);
  return places.length === 0 ? given : valuesText(values);
}

/** Values of a release for people: Kiali's signing key is a secret, and none of the values that were given. */
export function shownKialiValues(text: string, place: readonly string[]): string {
  return valuesText(withoutSigningKey(parseValues(text), place));
}

/** Where a chart takes Kiali's own values from; null for one that is not of Kiali. */
export function kialiPlaces({
  name,
  dependencies,
}: {
  name: string;
  dependencies: readonly string[];
}): string[][] {
  if (name === 'kiali-server') return [[]];
  if (name === 'kiali-operator') return [['cr', 'spec']];
  // A chart that brings Kiali along gives it values under its name.
  return dependencies.includes('kiali-server') ? [['kiali-server']] : [];
}

/** Names of sign-ins, however they are written: no case, no marks between words. */
const SIGN_IN =
  /^(login|passphrase|password|passwd|username|credentials?|authstrategy|loginstrategy|signin)$/;
/** As many as a person reads. */
const MAX_PROBLEMS = 10;
/** Kiali's own ways to others: passwords towards Prometheus are none of its visitors'. */
const TOWARDS_OTHERS = new Set(['external_services']);

/**
 * The values for a Kiali that opens without a sign-in, whatever else was given: `auth.strategy` is anonymous, its
 * signing key is the one that is kept, and unless it was said otherwise it only shows.
 * @param place where Kiali's own values are.
 * @throws DomainError `values_refused` for values that would make somebody sign in.
 */
export function anonymousKiali(
  given: Values,
  place: readonly string[],
  signingKey: string,
  text: string,
): Values {
  const own = readAt(given, place);
  const placeOf = lineOf(text);
  const problems = signIns(own, [])
    .slice(0, MAX_PROBLEMS)
    .map((path) => ({
      ...(placeOf([...place, ...path]) ?? { line: null, column: null }),
      path: [...place, ...path].join('.'),
      problem: 'Kiali opens without a sign-in here',
    }));
  if (problems.length > 0) {
    throw valuesRefused(
      `Kiali is installed without a sign-in (auth.strategy: anonymous), and ${problems.map(({ path }) => path).join(', ')} would give it one. Remove it. The port-forward to its page lets only browsers through that opened it from Slipway.`,
      problems,
    );
  }
  const { view_only_mode = true, ...deployment } = mapOf(own['deployment']);
  return writeAt(given, place, {
    ...own,
    auth: { strategy: 'anonymous' },
    login_token: { ...mapOf(own['login_token']), signing_key: signingKey },
    deployment: { ...deployment, view_only_mode },
  });
}

/** As YAML for people: the signing key is a secret of the installation. */
export function withoutSigningKey(values: Values, place: readonly string[]): Values {
  const own = readAt(values, place);
  const token = mapOf(own['login_token']);
  if (token['signing_key'] === undefined) return values;
  return writeAt(values, place, { ...own, login_token: { ...token, signing_key: KEPT_KEY } });
}

export function valuesText(values: Values): string {
  return Object.keys(values).length === 0 ? '' : writeYaml(values, { lineWidth: 0, version: '1.1' });
}

/** Paths of everything that would make somebody sign in. */
function signIns(values: Values, above: readonly string[]): string[][] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = [...above, key];
    const plain = key.toLowerCase().replace(/[^a-z]/g, '');
    if (above.length === 0) {
      if (TOWARDS_OTHERS.has(key)) return [];
      if (plain === 'auth') return unlessAnonymous(value, path);
      if (key === 'login_token') return foreignKey(value, path);
    }
    if (SIGN_IN.test(plain)) return [path];
    return isMap(value) ? signIns(value, path) : [];
  });
}

function unlessAnonymous(auth: unknown, path: string[]): string[][] {
  if (auth === null || auth === undefined) return [];
  if (path.at(-1) !== 'auth' || !isMap(auth)) return [path];
  return Object.entries(auth).flatMap(([key, value]) =>
    key === 'strategy' && (value === 'anonymous' || value === null || value === '') ? [] : [[...path, key]],
  );
}

function foreignKey(token: unknown, path: string[]): string[][] {
  const key = mapOf(token)['signing_key'];
  return key === undefined || key === KEPT_KEY || key === '' || key === null
    ? []
    : [[...path, 'signing_key']];
}

function mapOf(value: unknown): Values {
  return isMap(value) ? value : {};
}

function readAt(values: Values, [first, ...rest]: readonly string[]): Values {
  return first === undefined ? values : readAt(mapOf(values[first]), rest);
}

function writeAt(values: Values, [first, ...rest]: readonly string[], own: Values): Values {
  return first === undefined ? own : { ...values, [first]: writeAt(mapOf(values[first]), rest, own) };
}
