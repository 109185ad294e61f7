const FIRST = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';

const MARKERS: Readonly<Record<string, string>> = {
  'behind a marker': '---\n',
  'in the line of a marker': '--- ',
  'behind an end': '...\n',
  'behind two markers': '---\n# comment\n---\n',
};

/** Starts of documents. kind reads only two tokens of the next document, and does not parse them. */
const STARTS = [
  ...[']', '}', ', a', '[', '{', '{a:}', '[ "a', '{ "\\q": b }', '{ a: `', '- a', '-', '? a', ': a', '{: a}'],
  ...['a: b', 'a: b: c', 'a : `', '"a": "b', '"a": "\\q"', '"a', "'a", '"\\q": b', '"\\/"', '"a"b', '"a"#b'],
  ...['a\nb: c', '"a\nb": c', "'a\nb': c", 'a\n: b', 'a\n\tb', 'a\n\t', '\ta: b', 'a b\n  c', 'a #b\nc'],
  ...['&a b', '&a"b', '&a b: c', '*a', '*a: b', '*a|', '!a b', '!a! b', '!!str a', '!<a b', '!%zz a'],
  ...['|', '|\n a\n', '|\n\ta\n', '>0', '>-2\n  a', '| a', '%YAML 1.1\n---\na', '%YAML 1.2', '%A', '%'],
  ...[
    '@a',
    '`a',
    '{{ .Values.a }}',
    '# a',
    '',
    '---',
    '...',
    'kind: Pod\nmetadata: {name: a}',
    '[a]: b',
    '-a',
    ':a',
  ],
];

/** Configs with a further document, as people append manifests, templates and leftovers; by name. */
export function nextDocuments(): [name: string, text: string][] {
  return Object.entries(MARKERS).flatMap(([where, marker]) =>
    STARTS.map((start): [string, string] => [
      `${JSON.stringify(start)} ${where}`,
      `${FIRST}${marker}${start}\n`,
    ]),
  );
}
