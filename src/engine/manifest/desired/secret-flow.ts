import { isObject, type Json, splitPath } from '../../../base/json.ts';
import { findReach } from '../../../contract/map-value.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../../contract/schema-node.ts';
import type { Problem } from '../../input/document.ts';
import type { DesiredAccount, DesiredObject } from '../desired.ts';
import { kindByName } from '../kinds.ts';

/** Names of variables and files with these words contain secrets. */
const secretWords = /pass(?:word|wd|phrase)?|secret|token|credential|private|api_?key|_key$|^key|_pin$|^pin/i;

/** Checks the name of a source: `env.CRM_TOKEN`, `file./run/secrets/pin`. */
function soundsSecret(source: string): boolean {
  const [word = '', ...rest] = source.split('.');
  const name = rest.join('.').replace(/\?$/, '');
  return word === 'file'
    ? name.split(/[/\\]/).some((part) => secretWords.test(part))
    : secretWords.test(name);
}

interface Flow {
  readonly object: DesiredObject;
  readonly path: string;
  readonly sources: readonly string[];
  readonly node: SchemaNode;
}

/** Reports secrets in fields that are not secret, in URLs, and in the file itself. */
export function secretProblems(accounts: readonly DesiredAccount[]): readonly Problem[] {
  const objects = accounts.flatMap((account) => account.objects);
  const flows = objects.flatMap(flowsOf);
  const secrets = new Set(flows.filter(({ node }) => isSecret(node)).flatMap(({ sources }) => sources));
  return [
    ...flows.filter(({ node }) => !isSecret(node)).flatMap((flow) => leakProblems(flow, secrets)),
    ...objects.flatMap(clearTextProblems),
  ];
}

const isSecret = (node: SchemaNode): boolean => node['x-secret'] === true;

const flowsOf = (object: DesiredObject): readonly Flow[] =>
  [...object.sources].map(([path, sources]) => ({
    object,
    path,
    sources,
    node: findSchemaNode(object, path),
  }));

function findSchemaNode({ kind }: DesiredObject, path: string): SchemaNode {
  const { schema } = kindByName(kind);
  let node: SchemaNode = resolveReference(schema, schema);
  for (const key of splitPath(path)) {
    if (isSecret(node)) break;
    node = findChildNode(schema, node, key) ?? {};
  }
  return node;
}

function leakProblems(
  { object, path, sources, node }: Flow,
  secrets: ReadonlySet<string>,
): readonly Problem[] {
  const isAddress = node.format === 'uri' || node['x-secret-bearing'] === true;
  return [...new Set(sources)]
    .filter((source) => secrets.has(source) || (!source.startsWith('var.') && soundsSecret(source)))
    .map((source) =>
      object.problem(
        path,
        `\${${source}} is secret, and "${path}" is ${isAddress ? 'a URL: the receiver and every log on the way can see it' : 'not: everyone who can read the object can see it'}`,
      ),
    );
}

function clearTextProblems(object: DesiredObject): readonly Problem[] {
  const { schema } = kindByName(object.kind);
  const found: Problem[] = [];
  const visit = (node: SchemaNode, path: readonly string[], value: Json | undefined): void => {
    if (isSecret(node)) {
      const dotted = path.join('.');
      if (isNothing(value) || isFilledIn(object, dotted)) return;
      found.push(object.problem(dotted, `"${dotted}" is a secret in clear text; write \${env.NAME} instead`));
    } else if (typeof value === 'object' && value !== null) {
      const { fields, others } = findReach(schema, isSecret, node);
      for (const [key, inner] of Object.entries<Json | undefined>(value))
        if (others || fields.includes(key))
          visit(findChildNode(schema, node, key) ?? {}, [...path, key.replaceAll('.', '%2E')], inner);
    }
  };
  visit(resolveReference(schema, schema), [], object.fields);
  return found;
}

const isNothing = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (isObject(value) && Object.values(value).every(isNothing));

const isFilledIn = ({ sources }: DesiredObject, path: string): boolean =>
  [...sources.keys()].some((other) => other === path || other.startsWith(`${path}.`));
