import { readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import type { Plugin } from 'esbuild';

/** Functions of `contract/fields.ts` that take a description, with its place among their arguments. */
const described: Readonly<Record<string, number>> = {
  text: 0,
  integer: 0,
  number: 0,
  flag: 0,
  texts: 0,
  anyList: 0,
  freeObject: 0,
  list: 1,
  object: 1,
  required: 1,
  mapOf: 1,
  openObject: 1,
  anyReference: 1,
};

/** Properties that only pages, tables and the sandbox read, with what stands in their place. */
const unread: Readonly<Record<string, string>> = {
  columns: '[]',
  doc: "''",
  section: "''",
  examples: '[]',
  absent: '{}',
};

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && isText(node.left));

/** The text of a file of the contract without what describes fields to people. */
function withoutDocs(path: string, text: string): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  const cuts: { readonly from: number; readonly to: number; readonly by: string }[] = [];
  const cut = (node: ts.Node, by: string): void => {
    cuts.push({ from: node.getStart(file), to: node.getEnd(), by });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) {
      const by = unread[node.name.text];
      if (by !== undefined && (isText(node.initializer) || by !== "''") && !isSchema(node)) {
        cut(node.initializer, by);
        return;
      }
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const doc = node.arguments[described[node.expression.text] ?? -1];
      if (doc && isText(doc)) cut(doc, "''");
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return cuts
    .toSorted((one, other) => other.from - one.from)
    .reduce((rest, { from, to, by }) => rest.slice(0, from) + by + rest.slice(to), text);
}

/** True for a field of that name: its value is a call of a function that makes a schema. */
const isSchema = ({ initializer }: ts.PropertyAssignment): boolean => ts.isCallExpression(initializer);

/** The resources by name, which a command line loads one by one, and a client has all. */
const nouns = `import { resources } from './catalogue.ts';
export const resourceNouns = resources.map((resource) => ({ name: resource.name, load: async () => resource }));`;

/** Leaves the descriptions of fields out of the contract, for a client in a program, which shows them to nobody. */
export const contractWithoutDocs: Plugin = {
  name: 'contract-without-docs',
  setup(builder) {
    builder.onLoad({ filter: /[/\\]src[/\\]contract[/\\].*\.ts$/ }, ({ path }) => ({
      contents: path.endsWith('resource-nouns.ts') ? nouns : withoutDocs(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
