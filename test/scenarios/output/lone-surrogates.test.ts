import { expect, test } from 'vitest';
import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  parseJson,
  valueAt,
} from '../../../src/base/json.ts';
import { resources } from '../../../src/contract/catalogue.ts';
import { commandWordsOf } from '../../../src/contract/resource.ts';
import { resolveReference, type Schema, type SchemaNode } from '../../../src/contract/schema-node.ts';
import { kinds } from '../../../src/engine/manifest/kinds.ts';
import { minimalRecord } from '../../conformance/operation-rows.ts';
import { openWorld } from '../../support/world.ts';

const half = 'x\ud800y';

/** A value for a field with texts that end in half of a surrogate pair, or `undefined` for a field without text. */
function malformed(schema: Schema, from: SchemaNode, depth = 0): Json | undefined {
  const node = resolveReference(schema, from);
  if (node.readOnly === true || depth > 5) return undefined;
  const types = [node.type].flat();
  if (types.includes('string')) return half;
  if (types.includes('array')) {
    const item = malformed(schema, node.items ?? { type: 'string' }, depth + 1);
    return item === undefined ? undefined : [item];
  }
  const fields = Object.entries(node.properties ?? {}).flatMap(([key, inner]) => {
    const value = malformed(schema, inner, depth + 1);
    return value === undefined ? [] : [[key, value] as const];
  });
  const more = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined;
  const value = more && malformed(schema, more, depth + 1);
  const all = value === undefined ? fields : [...fields, ['key', value] as const];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}

function recordOf({ schema }: { readonly schema: Schema }): JsonObject {
  const value = malformed(schema, schema);
  return isObject(value) ? value : {};
}

const linesWith = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, index) => (line.includes('\\ud800') ? [index + 1] : []));

const linesReported = (stderr: string): readonly number[] => {
  const problems = valueAt(parseJson(stderr), 'error.details.problems');
  return objectsIn(problems).flatMap(({ line, message }) =>
    String(message).includes('half of a surrogate pair') ? [Number(line)] : [],
  );
};

test('a manifest with half of a surrogate pair is refused at each field, before any request', async () => {
  const { telctl } = await openWorld();
  const manifest = Object.fromEntries(
    kinds.map(({ name, shape, resource }) => {
      const record = recordOf(resource);
      return [name, shape === 'one' ? record : { main: record }];
    }),
  );
  const text = JSON.stringify(manifest, null, 1);
  const run = await telctl('validate -f m.json -o json', { files: { 'm.json': text } });
  expect(linesWith(text).length).toBeGreaterThan(300);
  expect(linesReported(run.stderr)).toEqual(linesWith(text));
  expect(run.requests).toEqual([]);
});

const created = resources.filter(({ operations }) => operations.some(({ verb }) => verb === 'create'));

test('a file of a record with half of a surrogate pair is refused at each field, before any request', async () => {
  const { telctl } = await openWorld();
  const wrong: string[] = [];
  for (const resource of created) {
    const text = JSON.stringify(recordOf(resource), null, 1);
    const noun = commandWordsOf(resource).join(' ');
    const create = `${noun} create ${resource.name === 'numbers' ? '+15551230000 ' : ''}-f r.json -o json`;
    const { code, stderr, requests } = await telctl(create, { files: { 'r.json': text } });
    // Messages and entries of lists have other commands.
    if (stderr.includes(`has no verb`)) continue;
    const reported = new Set(linesReported(stderr));
    const missed = linesWith(text).filter((each) => !reported.has(each));
    if (code !== 10 || requests.length > 0 || missed.length > 0) wrong.push(`${create}: ${stderr}`);
  }
  expect(wrong).toEqual([]);
});

/** A CSV cell whose first character telctl escapes. */
const cell = String.raw`'\\ud800x`;

test.each([
  ['users create --last-name B --first-name', half, '--first-name: "first_name"'],
  ['users update admin --set', `last_name=${half}`, '--set last_name: "last_name"'],
  ['users patch admin --set-json', String.raw`first_name="x\udc00"`, '--set-json first_name: "first_name"'],
  ['users patch admin --set-json', String.raw`profile={"x\ud800":1}`, String.raw`the key "x\ud800"`],
  ['menus create -f', 'm.csv', 'm.csv:2 (name): "name"'],
  ['users import --lenient', 'u.csv', 'u.csv:2 (last_name): "last_name"'],
  ['users get', half, String.raw`"x\ud800y"`],
  ['numbers get', '+1\ud800', String.raw`"+1\ud800" cannot be used as phone number: it`],
  ['users list --filter', `first_name=${half}`, String.raw`"x\ud800y"`],
  ['api PUT /v2/accounts/{account_id}/menus --field', `name=${half}`, '"data.name"'],
  ['api GET', `/v2/accounts/{account_id}/menus?x=${half}`, String.raw`menus?x=x\ud800y"`],
])('%s %s is refused before any change', async (line, last, place) => {
  const { telctl } = await openWorld();
  const files = { 'm.csv': `name\n${cell}\n`, 'u.csv': `username,first_name,last_name\nann,A,${cell}\n` };
  const run = await telctl([...line.split(' '), last], { files });
  expect(run.stderr).toContain(`${place} contains half of a surrogate pair, which is not valid Unicode`);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the sandbox refuses half of a surrogate pair in every record', async () => {
  const { sandbox } = await openWorld();
  const token = await sandbox.adminToken();
  const accepted: string[] = [];
  for (const { name, operations } of created) {
    const create = operations.find(({ verb }) => verb === 'create');
    const path = `/v2${create?.path.replace('{account_id}', sandbox.seed.accountId)}`;
    const body = { data: { ...minimalRecord(name), description: half } };
    const reply = await sandbox.call(create?.method ?? 'PUT', path, { token, body });
    if (reply.status !== 400) accepted.push(`${name}: ${reply.status} ${reply.text.slice(0, 100)}`);
  }
  expect(accepted).toEqual([]);
});
