import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { fieldFlag } from '../../src/cli/commands/generic/input-options.ts';
import { answering, callflowModules, type ModuleReference } from '../../src/contract/callflow-modules.ts';
import { resourceByName, resources } from '../../src/contract/catalogue.ts';
import { callflowModuleData } from '../../src/contract/modules/callflow-data.ts';
import { flowTargets, referencesOfRecord } from '../../src/contract/record-references.ts';
import { resourceNouns } from '../../src/contract/resource-nouns.ts';
import { samples } from '../../src/contract/samples.ts';
import { optionFields } from '../../src/contract/schema.ts';
import { resolveReference, type SchemaNode } from '../../src/contract/schema-node.ts';
import type { Resource, ResourceName } from '../../src/contract/types.ts';
import { kindsReferringTo } from '../../src/engine/manifest/find-references.ts';
import { kindOfSection } from '../../src/engine/manifest/kinds.ts';
import { openWorld } from '../support/world.ts';
import { minimalRecord } from './operation-rows.ts';

// The contract declares the references of records and flow steps. These tests check that the declarations are
// complete, and that guards of deletes, `orphans` and `callflows lint` use all of them.

/** Keys that look like record ids of the account, with the reason that they are not. */
const notReferences: Readonly<Record<string, string>> = {
  presence_id: 'a name or a number',
  cluster_id: 'a group of servers',
  custom_presence_id: 'a name or a number',
  caller_id: 'numbers and names',
  keep_caller_id: 'yes or no',
  use_account_caller_id: 'yes or no',
  emit_account_id: 'yes or no',
  hunt_account_id: 'an account, which no list of the account shows',
  billing_account_id: 'an account at another carrier',
  'rates.account_id': 'an account below',
  'do_not_disturb id': 'not read by the service',
  'function id': 'functions are not offered by telctl',
  'audio_macro.prompt id': 'a prompt of the service',
  'conference config.id': 'a conference that is written in the step itself',
  'conference config.owner_id': 'a conference that is written in the step itself',
  'conference_feature config.id': 'a conference that is written in the step itself',
  'conference_feature config.owner_id': 'a conference that is written in the step itself',
  'notification template_id': 'templates are named by the service, and not deleted',
  'users.hotdesk.id': 'a number to sign in with',
  'devices.provision.id': 'a template of the provisioner',
  'media.prompt_id': 'a prompt of the service',
  'media.source_id': 'what made it, by then often gone',
  'messages.call_id': 'a call that is over',
  'faxes.tx_result.fax_receiver_id': 'a name that the other machine gave',
  'numbers.e911.location_id': 'kept by a provider',
  'rates.ratedeck_id': 'of the service',
  'ledgers.source.id': 'of whatever was charged, by then often gone',
  'transactions.order_id': 'kept by a provider',
  'apps.client_id': 'kept by a provider',
};

const looksLikeId = (path: string): boolean =>
  /(?:^|_)ids?$/.test(path.replaceAll(/\.\*$/g, '').split('.').at(-1) ?? '');

/** Yields dotted paths of a schema (`*` for items and free keys) with their nodes. Recursive parts appear once. */
function* walkFields(
  root: SchemaNode,
  from: SchemaNode,
  path = '',
  above: readonly SchemaNode[] = [],
): Generator<readonly [string, SchemaNode]> {
  const node = resolveReference(root, from);
  if (node.readOnly === true || node['x-secret'] === true || above.includes(node)) return;
  if (path !== '') yield [path, node];
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`);
  const inner = [...above, node];
  for (const [key, child] of Object.entries(node.properties ?? {}))
    yield* walkFields(root, child, at(key), inner);
  for (const child of [node.items, node.additionalProperties])
    if (typeof child === 'object') yield* walkFields(root, child, at('*'), inner);
}

const id = 'f'.repeat(32);

function withValueAt(path: string, value: Json, isMap = false): JsonObject {
  const star = (inner: Json): Json => (isMap ? { [id]: inner } : [inner]);
  const held = path
    .split('.')
    .reduceRight<Json>((inner, key) => (key === '*' ? star(inner) : { [key]: inner }), value);
  return isObject(held) ? held : {};
}

/** Fields whose `*` means a map key instead of a list item. */
const maps = new Set(['users.directories.*']);

const isNotReference = (owner: string, between: string, path: string): boolean =>
  Object.hasOwn(notReferences, `${owner}${between}${path}`) ||
  Object.hasOwn(notReferences, path.split('.').at(-1) ?? '');

test('every field that looks like an id names its resource or is listed as an exception', () => {
  const fields = resources.flatMap(({ name, schema }) =>
    [...walkFields(schema, schema)]
      .filter(
        ([path, node]) => path !== 'id' && looksLikeId(path) && !node['x-ref'] && !node.items?.['x-ref'],
      )
      .filter(([path]) => !isNotReference(name, '.', path))
      .map(([path]) => `${name}.${path}`),
  );
  expect(
    fields,
    'Give each `ref` in the contract, or a row in `noRecords` of test/conformance/references.test.ts',
  ).toEqual([]);
});

test('every module key that looks like an id is a reference or is listed as an exception', () => {
  const keys = Object.entries(callflowModuleData).flatMap(([module, schema]) => {
    const known = callflowModules.get(module)?.refers.map(({ path }) => path) ?? [];
    return [...walkFields(schema, schema)]
      .filter(([path, { type }]) => looksLikeId(path) && type !== 'object' && type !== 'array')
      .filter(([path]) => !known.includes(path) && !isNotReference(module, ' ', path))
      .map(([path]) => `${module} ${path}`);
  });
  expect(
    keys,
    'Name each in `refers` of its module, or add a row to `noRecords` of test/conformance/references.test.ts',
  ).toEqual([]);
});

const references = resources.flatMap((resource) =>
  [...walkFields(resource.schema, resource.schema)].flatMap(([path, node]) =>
    node['x-ref'] === undefined ||
    node['x-ref'] === 'accounts' ||
    path.includes('flow.') ||
    node['x-worked-out']
      ? []
      : [[resource, path, node['x-ref']] as [Resource, string, ResourceName]],
  ),
);

test.each(
  references.map(([resource, path, to]) => [`${resource.name}.${path}`, to, resource, path] as const),
)('%s is recognized as a reference to %s', (_, to, resource, path) => {
  const value = withValueAt(path, id);
  const found = [...referencesOfRecord(resource, value)];
  expect(found.filter((each) => each.id === id && each.to === to)).not.toEqual([]);
  const isKept = resource.absent?.manifests === undefined && kindOfSection(to)?.shape === 'many';
  const guarding = [...kindsReferringTo(new Set([to])).keys()].map((kind) => kind.resource.name);
  if (isKept) expect(guarding).toContain(resource.name);
});

/** Returns required data of a module besides the reference. */
function requiredModuleData(module: string): JsonObject {
  const schema: SchemaNode = Object.entries(callflowModuleData).find(([name]) => name === module)?.[1] ?? {};
  const needed = [...(schema.required ?? []), ...(schema['x-convention']?.required ?? [])];
  return Object.fromEntries(
    needed.map((key) => {
      const node = schema.properties?.[key] ?? {};
      const [word = 'word'] = [...(node.enum ?? []), ...(node['x-convention']?.enum ?? [])].map(String);
      return [key, word];
    }),
  );
}

/** Returns a step that refers to an id. */
function stepWithReference(module: string, { path, where }: ModuleReference, named: string): JsonObject {
  if (path === 'children')
    return { module, data: {}, children: { [named]: { module: 'hangup', data: {}, children: {} } } };
  const parts = path.split('.');
  const last = parts.at(-1) ?? '';
  const beside = where === undefined ? {} : { [where.key]: where.is };
  const leaf: Json = last === '*' ? [named] : { ...beside, [last]: named };
  const data = parts
    .slice(0, -1)
    .reduceRight<Json>((inner, key) => (key === '*' ? [inner] : { [key]: inner }), leaf);
  const held = last === '*' ? { [parts[0] ?? '']: [named] } : data;
  return { module, data: { ...requiredModuleData(module), ...(isObject(held) ? held : {}) }, children: {} };
}

const flowReferences = [...callflowModules.values()].flatMap(({ name, refers }) =>
  refers.flatMap((reference) =>
    reference.to === undefined ? [] : [{ module: name, reference, to: reference.to }],
  ),
);

/** The schema only accepts addresses there. Services still store ids from older versions. */
const kept = flowReferences.filter(({ reference }) => reference.path !== 'recipients.*.id');

test('finds every reference in a step of any module', () => {
  const schema = resourceByName('callflows');
  const unseen = flowReferences.filter(({ module, reference, to }) => {
    const found = [...referencesOfRecord(schema, { flow: stepWithReference(module, reference, id) })];
    return !found.some((each) => each.id === id && [each.to, each.or].includes(to));
  });
  expect(unseen).toEqual([]);
});

test('lint and orphans report missing records that a step of any module refers to', async () => {
  const world = await openWorld();
  const ids = kept.map((_, index) => index.toString(16).padStart(4, '0').padEnd(32, 'f'));
  for (const [index, { module, reference }] of kept.entries()) {
    const flow = stepWithReference(module, reference, ids[index] ?? '');
    await world.service('PUT', 'callflows', { name: `Flow ${index}`, numbers: [`${9000 + index}`], flow });
  }
  const [lint, orphans] = [
    await world.telctl('callflows lint -o json'),
    await world.telctl('orphans -o json'),
  ];
  // Shortened ids in messages.
  const findMissingIds = (text: string) =>
    kept.flatMap(({ module, reference }, index) =>
      text.includes(ids[index]?.slice(0, 8) ?? '') ? [] : [`${module} ${reference.path}`],
    );
  expect(findMissingIds(lint.stdout), lint.stderr).toEqual([]);
  expect(findMissingIds(orphans.stdout), orphans.stderr).toEqual([]);
});

test.each([...flowTargets].filter((name) => kindOfSection(name)?.calls.delete))(
  'a referenced record is not deleted without confirmation: %s',
  async (name) => {
    const world = await openWorld();
    const target = await world.service('PUT', name, minimalRecord(name));
    const named = String(target.id);
    const [first] = kept.filter(({ to }) => to === name);
    if (!first) throw new Error(`No step refers to ${name}.`);
    const flow = stepWithReference(first.module, first.reference, named);
    await world.service('PUT', 'callflows', { name: 'User of it', numbers: ['9000'], flow });
    const noun = name.replaceAll('_', '-').replace('temporal-rules-sets', 'temporal-rule-sets');
    const run = await world.telctl(`${noun} delete ${named} --yes`);
    expect(run.stderr).toContain('User of it');
    expect(run.code).toBe(9);
  },
);

/**
 * Creates a world with a record of every referenced kind. Returns the name and id of each, and the id of an equal
 * record in another account.
 */
async function createTargets() {
  const world = await openWorld();
  const twin = await world.twinAccount();
  const named = new Map<ResourceName, { readonly [key in 'id' | 'name' | 'foreign']: string }>();
  const wanted = new Set([...references.map(([, , to]) => to), ...flowReferences.map(({ to }) => to)]);
  for (const to of wanted) {
    const { naturalKeys, operations } = resourceByName(to);
    const isHere = operations.some(({ verb, path }) => verb === 'list' && !/\{(?!account_id\})/.test(path));
    const create = operations.find(({ verb }) => verb === 'create')?.path.split('{account_id}/')[1];
    const [key] = naturalKeys;
    if (key === undefined || !isHere || create === undefined) continue;
    const sample = { ...samples[to]?.record, ...minimalRecord(to) };
    const record = await world.service('PUT', create, sample);
    const value = record[key] ?? (naturalKeys[1] === undefined ? undefined : record[naturalKeys[1]]);
    const name = Array.isArray(value) ? value[0] : value;
    // If a record is unique in the whole service, the other account's id is used instead.
    const like = await twin.service('PUT', create, sample).catch(() => ({ id: twin.accountId }));
    const foreign = String(like.id);
    named.set(to, { id: String(record.id), name: String(name), foreign });
  }
  return { world, named };
}

/** Merges two objects recursively. `lower` has priority. */
const mergeObjects = (upper: JsonObject, lower: JsonObject): JsonObject => ({
  ...upper,
  ...Object.fromEntries(
    Object.entries(lower).map(([key, value]) => {
      const there = upper[key];
      return [key, isObject(there) && isObject(value) ? mergeObjects(there, value) : value];
    }),
  ),
});

/** Returns a record with a reference by name in other notations: YAML, `--set`, CSV. */
function otherNotations(body: JsonObject, path: string, name: string) {
  const isCsv = !path.includes('.') && Object.values(body).every((value) => typeof value === 'string');
  const rows = [Object.keys(body), Object.values(body)].map((cells) =>
    cells.map((cell) => `"${cell}"`).join(','),
  );
  return [
    { argv: ['-f', 'in.yaml'], text: JSON.stringify(body, null, 1) },
    ...(path.includes('*') ? [] : [{ argv: ['-f', 'in.json', '--set', `${path}=${name}`], text: '' }]),
    ...(isCsv ? [{ argv: ['-f', 'in.csv'], text: `${rows.join('\n')}\n` }] : []),
  ];
}

test('every reference field accepts a name and refuses a similar name', async () => {
  const { world, named } = await createTargets();
  const wrong: string[] = [];
  const tried = new Set<string>();
  for (const [resource, path, to] of references) {
    const target = named.get(to);
    const noun = resourceNouns.find(({ name }) => name === resource.name)?.word;
    if (!target || noun === undefined || !resource.operations.some(({ verb }) => verb === 'create')) continue;
    if (resource.name === 'numbers') continue; // Numbers are made from arguments, not from a file.
    const body = (name: string) =>
      mergeObjects(
        minimalRecord(resource.name),
        withValueAt(path, name, maps.has(`${resource.name}.${path}`)),
      );
    const line = `${noun} create -f in.json --dry-run`;
    const run = async (name: string, format = '') =>
      world.telctl(line + format, { files: { 'in.json': JSON.stringify(body(name)) } });
    const right = await run(target.name, ' -o json');
    if (right.code !== 0 || !right.stdout.includes(target.id) || right.stdout.includes(`"${target.name}"`))
      wrong.push(`${resource.name}.${path} = ${target.name}: ${right.code} ${right.stdout} ${right.stderr}`);
    const { foreign } = target;
    const byId = await run(foreign, ' -o json');
    // Ids are not looked up. An id of another account is reported as missing.
    if (byId.code !== 0 || !byId.stdout.includes(foreign))
      wrong.push(`${resource.name}.${path} = ${foreign}: ${byId.code} ${byId.stderr}`);
    for (const { text, argv } of otherNotations(body(target.name), path, target.name)) {
      const format = argv.join(' ');
      const line = [...noun.split(' '), 'create', ...argv, '--dry-run', '-o', 'json'];
      const { code, stdout, stderr } = await world.telctl(line, {
        files: { 'in.json': JSON.stringify(minimalRecord(resource.name)), 'in.yaml': text, 'in.csv': text },
      });
      if (code !== 0 || !stdout.includes(target.id))
        wrong.push(`${resource.name}.${path} by ${format}: ${code} ${stderr}`);
    }
    const near = await run(`${target.name}x`);
    if (near.code !== 10 || !near.stderr.includes(`"${target.name}"?`))
      wrong.push(`${resource.name}.${path} = ${target.name}x: ${near.code} ${near.stderr}`);
    tried.add(`${resource.name}.${path}`);
  }
  expect(wrong.join('\n')).toBe('');
  expect(tried.size).toBeGreaterThan(20);
});

/** Command lines with names of records: the option, the arguments, and the kinds it accepts. */
const lines: readonly (readonly [option: string, argv: readonly string[], kinds: readonly ResourceName[]])[] =
  [
    ...references.flatMap(([resource, path, to]) => {
      const option = optionFields(resource).find(({ field }) => field === path);
      const noun = resourceNouns.find(({ name }) => name === resource.name)?.word.split(' ');
      const creates = resource.operations.some(({ verb }) => verb === 'create');
      if (!option || !noun || !creates || resource.name === 'numbers') return [];
      const argv = [...noun, 'create', '-f', `${resource.name}.json`];
      return [[`--${fieldFlag(resource, option)}`, argv, [to]] as const];
    }),
    ['--members', ['groups', 'create', '--name', 'New'], ['users', 'devices', 'groups']],
    ['--rules', ['temporal-rule-sets', 'create', '--name', 'New'], ['temporal_rules']],
    ['--answers', ['callflows', 'create', '--name', 'New', '--numbers', '9001'], [...answering.keys()]],
  ];
const least = Object.fromEntries(
  references.map(([{ name }]) => [`${name}.json`, JSON.stringify(minimalRecord(name))]),
);

test('every reference option accepts a name or id and refuses a similar name', async () => {
  const { world, named } = await createTargets();
  const wrong: string[] = [];
  let tried = 0;
  for (const [option, argv, kinds] of lines)
    for (const kind of kinds) {
      const target = named.get(kind);
      if (!target) continue;
      const mark = option === '--answers' ? `${resourceByName(kind).singular}:` : '';
      const run = (text: string) =>
        world.telctl([...argv, option, `${mark}${text}`, '--dry-run', '-o', 'json'], { files: least });
      const label = [argv.join(' '), option, kind].join(' ');
      for (const text of [target.name, target.id]) {
        const { code, stdout, stderr } = await run(text);
        if (code !== 0 || !stdout.includes(target.id)) wrong.push(`${label} ${text}: ${code} ${stderr}`);
      }
      const near = await run(`${target.name}x`);
      if (near.code !== 10 || !near.stderr.includes(`Did you mean \\"${target.name}\\"?`))
        wrong.push(`${label} ${target.name}x: ${near.code} ${near.stderr}`);
      const other = target.foreign;
      const foreign = await run(other);
      // Operands are looked up. A field is sent unchanged and reported as missing.
      const [code, says] = argv.includes('-f') ? [0, foreign.stdout] : [10, foreign.stderr];
      if (foreign.code !== code || !says.includes(other))
        wrong.push(`${label} ${other}: ${foreign.code} ${foreign.stderr}`);
      tried += 1;
    }
  expect(wrong.join('\n')).toBe('');
  expect(tried).toBeGreaterThan(15);
});

test('a manifest accepts names of existing records for every reference and refuses similar names', async () => {
  const { world, named } = await createTargets();
  const wrong: string[] = [];
  let tried = 0;
  for (const [resource, path, to] of references) {
    const target = named.get(to);
    const kind = kindOfSection(resource.name);
    if (!target || kind?.shape !== 'many' || !kindOfSection(to) || !kind.calls.create) continue;
    const plan = async (text: string) => {
      const found = { ...(kind.keys[0] === undefined ? {} : { [kind.keys[0]]: 'found-by' }) };
      const body = mergeObjects(
        { ...found, ...minimalRecord(resource.name) },
        withValueAt(path, text, maps.has(`${resource.name}.${path}`)),
      );
      const files = { 'in.json': JSON.stringify({ [kind.name]: { it: body } }) };
      return world.telctl('plan -f in.json -o json', { files });
    };
    const right = await plan(`\${account.${to}.${target.name}}`);
    if (right.code !== 0 || !right.stdout.includes(target.id))
      wrong.push(`${resource.name}.${path}: ${right.code} ${right.stderr}`);
    for (const id of [target.id, target.foreign]) {
      const byId = await plan(id);
      if (byId.code !== 0 || !byId.stdout.includes(id))
        wrong.push(`${resource.name}.${path} = ${id}: ${byId.code} ${byId.stderr}`);
    }
    const plain = await plan(target.name);
    // Names in a schema of the service are refused earlier.
    if (plain.code !== 10 && !plain.stderr.includes(`write \${account.${to}.${target.name}}`))
      wrong.push(`${resource.name}.${path} = ${target.name}: ${plain.code} ${plain.stderr}`);
    const near = await plan(`\${account.${to}.${target.name}x}`);
    if (near.code !== 10 || !near.stderr.includes(`.${target.name}}?`))
      wrong.push(`${resource.name}.${path} near: ${near.code} ${near.stderr}`);
    tried += 1;
  }
  expect(wrong.join('\n')).toBe('');
  expect(tried).toBeGreaterThan(15);
});

test('every callflow step with a reference accepts a name', async () => {
  const { world, named } = await createTargets();
  const wrong: string[] = [];
  for (const { module, reference, to } of kept) {
    const target = named.get(to);
    if (!target) continue;
    const flow = stepWithReference(module, reference, target.name);
    const line = 'callflows create -f in.json --dry-run -o json';
    const files = { 'in.json': JSON.stringify({ numbers: ['9000'], flow }) };
    const { code, stdout, stderr } = await world.telctl(line, { files });
    if (code !== 0 || !stdout.includes(target.id))
      wrong.push(`${module} ${reference.path} = ${target.name}: ${code} ${stdout} ${stderr}`);
  }
  expect(wrong.join('\n')).toBe('');
});
