/** Generates lines of a block map, which can be appended to a document. */
type Generator = (length: number) => string;

/** Repeats a piece up to a length. */
function fill(length: number, piece: (index: number) => string): string {
  const pieces: string[] = [];
  for (let [size, index] = [0, 0]; ; index += 1) {
    const next = piece(index);
    size += next.length;
    if (size > length) return pieces.join('');
    pieces.push(next);
  }
}

/** `a0: …`, followed by levels that repeat the previous one. */
function levels(count: number, first: string, next: (before: string) => string): string {
  return Array.from({ length: count }, (_, index) => {
    const value = index === 0 ? first : next(`*l${index - 1}`);
    return `l${index}: &l${index} ${value}\n`;
  }).join('');
}

/** A map in half of the text, and merges of it in the other half. */
function mergesOf(length: number): string {
  const wide = fill(length / 2, (index) => `  k${index}: 1\n`);
  return `wide: &wide\n${wide}narrow:\n${fill(length / 2, () => '  - <<: *wide\n')}`;
}

/** Texts that are slow to parse, make parsers fail, or use unexpected features. */
export const HOSTILE_YAML: readonly [what: string, text: Generator][] = [
  ['a key bomb', (length) => fill(length, (index) => `${index}k:\n`)],
  ['duplicate keys', (length) => fill(length, () => 'k: 1\n')],
  ['duplicate keys in flow style', (length) => `x: {${fill(length, () => 'k: 1, ')}}\n`],
  ['an alias bomb', () => levels(12, '[lol]', (before) => `[${Array(9).fill(before).join(', ')}]`)],
  ['an alias bomb of merges', () => levels(40, '{k: 1}', (before) => `{<<: [${before}, ${before}]}`)],
  ['aliases one after the other', (length) => `x: &x y\nz:\n${fill(length, () => '- *x\n')}`],
  ['a chain of aliases', (length) => levels(length / 30, '[]', (before) => `[${before}]`)],
  ['an alias of itself', () => 'x: &x [*x]\n'],
  ['anchors', (length) => `x:\n${fill(length, (index) => `- &a${index} y\n`)}`],
  [
    'pairs of anchors and aliases',
    (length) => `x:\n${fill(length, (index) => `- &a${index} y\n- *a${index}\n`)}`,
  ],
  ['merges', mergesOf],
  ['deep lists', (length) => `x: ${'['.repeat(length / 2)}${']'.repeat(length / 2)}\n`],
  ['deep maps', (length) => `x: ${'{a: '.repeat(length / 5)}1${'}'.repeat(length / 5)}\n`],
  ['maps that do not end', (length) => `x: ${'{'.repeat(length)}\n`],
  ['lists of one line', (length) => `x:\n  ${'- '.repeat(length / 2)}y\n`],
  ['deep keys', (length) => `x:\n  ${'? '.repeat(length / 2)}\n`],
  ['deep block maps', (length) => fill(length, (index) => `${' '.repeat(index)}x:\n`)],
  [
    'lists of a hundred levels',
    (length) => `x:\n${fill(length, () => `- ${'['.repeat(95)}${']'.repeat(95)}\n`)}`,
  ],
  ['maps as keys', (length) => `x:\n${fill(length, (index) => `  ? {a: ${index}}\n  : 1\n`)}`],
  ['maps as keys of maps', (length) => `x: ${'{'.repeat(90)}${fill(length, () => 'a,')}${'}'.repeat(90)}\n`],
  ['a huge word', (length) => `x: ${'y'.repeat(length)}\n`],
  ['a huge number', (length) => `x: ${'9'.repeat(length)}\n`],
  ['a huge key', (length) => `${'y'.repeat(length)}: 1\n`],
  ['a huge quoted text', (length) => `x: "${'\\x41'.repeat(length / 4)}"\n`],
  ['a quoted text of blanks', (length) => `x: "${' '.repeat(length)}\n`],
  ['wrong escapes', (length) => `x: "${'\\z'.repeat(length / 2)}"\n`],
  ['a block of lines', (length) => `x: |\n${fill(length, () => ' y\n')}`],
  ['a folded block', (length) => `x: >\n${fill(length, (index) => `${' '.repeat(1 + (index % 2))}y\n\n`)}`],
  ['a word of lines', (length) => `x: ${fill(length, () => 'y\n  ')}\n`],
  ['comments', (length) => `x:\n${fill(length, () => ' #\n')}  y: 1\n`],
  ['empty lines', (length) => `x:\n${'\n'.repeat(length)}  y: 1\n`],
  ['lines of Windows', (length) => fill(length, (index) => `k${index}: 1\r\n`)],
  ['tabs', (length) => `x:\n${fill(length, () => '\t- y\n')}`],
  ['brackets that close nothing', (length) => `x: ${']'.repeat(length)}\n`],
  ['commas', (length) => `x: [${','.repeat(length)}]\n`],
  ['colons', (length) => `x:\n${'  :\n'.repeat(length / 4)}`],
  ['anchors of one node', (length) => `x: ${'&a '.repeat(length / 3)}y\n`],
  [
    'tags of other languages',
    (length) => `x:\n${fill(length, () => '- !!js/function "() => process.exit()"\n')}`,
  ],
  ['unknown tags', (length) => `x:\n${fill(length, (index) => `- !t${index} y\n`)}`],
  ['ordered maps', (length) => `x: !!omap\n${fill(length, (index) => `- k${index}: 1\n`)}`],
  ['documents', (length) => `x: 1\n${fill(length, () => '---\nx: 1\n')}`],
  ['empty documents', (length) => `x: 1\n${fill(length, () => '---\n')}`],
  ['directives', (length) => `x: 1\n...\n${fill(length / 2, (index) => `%TAG !t${index}! x\n`)}---\nx: 1\n`],
  ['byte order marks', (length) => `x: ${'\ufeff'.repeat(length / 3)}\n`],
  ['characters of several bytes', (length) => fill(length / 3, (index) => `字${index}: 字\n`)],
  ['line separators', (length) => `x: ${'\u2028'.repeat(length / 3)}\n`],
  ['a polluting key', () => '__proto__: {polluted: true}\nconstructor: {prototype: {polluted: true}}\n'],
];

/** JSON, which YAML parsers accept. */
export const HOSTILE_JSON: readonly [what: string, text: Generator][] = [
  ['lists', (length) => `{"x": [${fill(length, () => '[],')}[]]}`],
  ['keys', (length) => `{${fill(length, (index) => `"k${index}":1,`)}"x":1}`],
];
