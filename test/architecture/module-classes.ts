import { dirname, join } from 'node:path';
import ts from 'typescript';
import { textOf } from './source-tree.js';

/** The contents of the `@Module` decorator of a file. */
export interface ModuleClass {
  name: string;
  imports: string[];
  /** Classes and tokens. */
  controllers: string[];
  providers: string[];
}

function parsed(file: string): ts.SourceFile {
  return ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
}

function classesOf(file: string): ts.ClassDeclaration[] {
  return parsed(file).statements.filter((statement) => ts.isClassDeclaration(statement));
}

/** The names in a list of a module: of `{ provide: A, useClass: B }`, A and B. */
function namesIn(node: ts.Node): string[] {
  const names: string[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isIdentifier(child)) names.push(child.text);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return names;
}

/** @param file with a module, whose lists may be in its decorator or in a method that returns them. */
export function moduleClassOf(file: string): ModuleClass {
  const [declared] = classesOf(file);
  const found: ModuleClass = {
    name: declared?.name?.text ?? '',
    imports: [],
    controllers: [],
    providers: [],
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isArrayLiteralExpression(node.initializer)) {
      const list = node.name.getText();
      if (list === 'imports' || list === 'controllers' || list === 'providers') {
        found[list].push(...namesIn(node.initializer));
      }
    }
    ts.forEachChild(node, visit);
  };
  if (declared) visit(declared);
  return found;
}

/** Files from which a file imports values, by imported name. */
function valueImportsOf(file: string): Map<string, string> {
  const imports = new Map<string, string>();
  for (const statement of parsed(file).statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const { importClause, moduleSpecifier } = statement;
    const bindings = importClause?.namedBindings;
    if (
      !bindings ||
      !ts.isNamedImports(bindings) ||
      importClause.phaseModifier === ts.SyntaxKind.TypeKeyword
    ) {
      continue;
    }
    const path = join(dirname(file), moduleSpecifier.text).replace(/\.js$/, '.ts');
    for (const element of bindings.elements) if (!element.isTypeOnly) imports.set(element.name.text, path);
  }
  return imports;
}

/** The files of the drivers from which a controller or provider of the module gets an instance of the token. */
export function driversInjectedBy(moduleFile: string, token: string): string[] {
  const { controllers, providers } = moduleClassOf(moduleFile);
  const files = valueImportsOf(moduleFile);
  return [...controllers, ...providers].flatMap((name) => {
    const file = files.get(name);
    if (file === undefined || file.endsWith('/index.ts')) return [];
    const injects = classesOf(file)
      .filter((declared) => declared.name?.text === name)
      .flatMap((declared) => declared.members.filter((member) => ts.isConstructorDeclaration(member)))
      .flatMap(({ parameters }) => parameters.map(({ type }) => type?.getText()));
    const source = valueImportsOf(file).get(token);
    return injects.includes(token) && source?.includes('/drivers/') ? [source] : [];
  });
}
