import { readFileSync } from 'node:fs';
import ts from '@typescript/typescript6';
import type { Plugin } from 'esbuild';

/** Functions of `contract/fields.ts` with a description, and its position in the arguments. */
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

/** Properties that only pages, tables and the sandbox read, with their replacement. */
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

/** Returns a contract file without descriptions. */
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

/** Returns true for a field whose value is a call of a schema function. */
const isSchema = ({ initializer }: ts.PropertyAssignment): boolean => ts.isCallExpression(initializer);

/** A command line loads resources one by one. A client has all of them. */
const nouns = `import { resources } from './catalogue.ts';
export const resourceNouns = resources.map((resource) => ({ name: resource.name, load: async () => resource }));`;

/** Removes field descriptions from the contract in the client library, which does not show them. */
export const contractWithoutDocs: Plugin = {
  name: 'contract-without-docs',
  setup(builder) {
    builder.onLoad({ filter: /[/\\]src[/\\]contract[/\\].*\.ts$/ }, ({ path }) => ({
      contents: path.endsWith('resource-nouns.ts') ? nouns : withoutDocs(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
