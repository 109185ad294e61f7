import ts from 'typescript';

export interface TestTitle {
  /** As written, with the placeholders of `each`. */
  title: string;
  skipped: boolean;
}

const TESTS = /^[xf]?(?:it|test)$/;
const SUITES = /^[xf]?describe$/;
const SKIPS = ['skip', 'todo', 'fixme'];

interface Block {
  skipped: boolean;
  titles: TestTitle[];
}

/** The titles of the tests in a file of Jest or Playwright, and whether one of them or a suite around it is skipped. */
export function testTitles(source: string): TestTitle[] {
  const file = ts.createSourceFile('a.spec.ts', source, ts.ScriptTarget.Latest, true);
  const isFocused = /\b(?:it|test|describe)(?:\.\w+)*\.only\b|\b(?:fit|fdescribe)\(/.test(source);
  const root: Block = { skipped: isFocused, titles: [] };
  visit(file, root);
  return root.titles;
}

function visit(node: ts.Node, block: Block): void {
  if (!ts.isCallExpression(node)) {
    ts.forEachChild(node, (child) => visit(child, block));
    return;
  }
  const [name = '', ...members] = namesOf(calleeOf(node));
  const isSuite = SUITES.test(name) || (TESTS.test(name) && members.includes('describe'));
  const isSkip = name.startsWith('x') || members.some((member) => SKIPS.includes(member));
  const [first] = node.arguments;
  const title = first && titleOf(first);
  if (!TESTS.test(name) && !isSuite && !(name === 'testInfo' && isSkip)) {
    ts.forEachChild(node, (child) => visit(child, block));
  } else if (title === undefined) {
    // `test.skip(condition)` skips what it is in. `it.each(table)` alone is no test.
    if (isSkip && !members.includes('each')) {
      block.skipped = true;
      for (const each of block.titles) each.skipped = true;
    }
    ts.forEachChild(node, (child) => visit(child, block));
  } else {
    const inner: Block = { skipped: block.skipped || isSkip, titles: [] };
    if (!isSuite) inner.titles.push({ title, skipped: inner.skipped });
    for (const argument of node.arguments) visit(argument, inner);
    block.titles.push(...inner.titles);
  }
}

/** `it.each(table)` and `it.each` with a template are `['it', 'each']`. */
function namesOf(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text];
  if (ts.isPropertyAccessExpression(node)) return [...namesOf(calleeOf(node)), node.name.text];
  if (ts.isCallExpression(node)) return namesOf(calleeOf(node));
  return ts.isTaggedTemplateExpression(node) ? namesOf(node.tag) : [];
}

function calleeOf(node: ts.CallExpression | ts.PropertyAccessExpression): ts.Node {
  return node.expression; // cspell:ignore the name of TypeScript
}

function titleOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : undefined;
}
