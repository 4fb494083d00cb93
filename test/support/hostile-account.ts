// biome-ignore-all lint/suspicious/noTemplateCurlyInString: manifests escape some of these texts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { decodeCell } from '../../src/base/neutralise.ts';
import { commandWordsOf } from '../../src/contract/resource.ts';
import { resolveReference, type Schema, type SchemaNode } from '../../src/contract/schema-node.ts';
import type { ResourceName } from '../../src/contract/types.ts';
import { kinds } from '../../src/engine/manifest/kinds.ts';
import { parseCsv } from '../../src/engine/manifest/parse-csv.ts';
import { minimalRecord } from '../conformance/operation-rows.ts';
import { controlCharacters } from './control-characters.ts';
import { hostileStrings } from './hostile-strings.ts';
import type { World } from './world.ts';

const perField = 2;

/** Returns true for a text without meaning to the service. */
function isFreeText(node: SchemaNode): boolean {
  const { type, format, pattern, enum: words }: SchemaNode & { readonly pattern?: string } = node;
  const special = [
    ...[format, pattern, words, node['x-ref'], node['x-key-ref'], node['x-names'], node['x-dialled']],
    ...[node['x-kept-as'], node['x-convention']?.type],
  ];
  const isOwn = node.readOnly || node['x-worked-out'] || node['x-secret'] || node['x-secret-bearing'];
  return type === 'string' && special.every((each) => each === undefined) && !isOwn;
}

/** Returns the dotted paths of free texts of a schema, except in lists and maps. */
export function freeTextPaths(
  schema: Schema,
  node: SchemaNode = schema,
  path: readonly string[] = [],
): readonly string[] {
  const here = resolveReference(schema, node);
  if (path.length > 0 && isFreeText(here)) return [path.join('.')];
  if (path.length > 4 || here['x-secret'] || here.readOnly) return [];
  return Object.entries(here.properties ?? {}).flatMap(([key, inner]) =>
    freeTextPaths(schema, inner, [...path, key]),
  );
}

/** Sections whose objects users create, except those that need a secret or a number. */
const sections = kinds.filter(
  ({ shape, name, calls }) =>
    shape === 'many' &&
    calls.create !== undefined &&
    !['accounts', 'apps', 'numbers', 'ports'].includes(name),
);

export function setText(
  record: Json | undefined,
  [key = '', ...rest]: readonly string[],
  text: string,
): JsonObject {
  const here = isObject(record) ? record : {};
  return { ...here, [key]: rest.length === 0 ? text : setText(here[key], rest, text) };
}

const valueAtPath = (record: Json | undefined, path: string): Json | undefined =>
  path.split('.').reduce<Json | undefined>((here, key) => (isObject(here) ? here[key] : undefined), record);

/** An object of the manifest, with the strings at the paths of its fields. */
interface Given {
  readonly section: string;
  readonly name: string;
  readonly record: JsonObject;
  readonly texts: ReadonlyMap<string, string>;
}

/** Values that must be unique. */
const distinct: Readonly<Record<string, (turn: number) => JsonObject>> = {
  vmboxes: (turn) => ({ mailbox: `${3000 + turn}` }),
  callflows: (turn) => ({ numbers: [`${4000 + turn}`] }),
  users: (turn) => ({ username: `user${turn}`, password: '${env.HOSTILE_PASSWORD}' }),
};

const buildRecord = (name: ResourceName, turn: number): JsonObject => ({
  ...minimalRecord(name),
  ...distinct[name]?.(turn),
});

/** Returns objects of every section. Each text field has strings of the list in turn. */
function generateObjects(seed: number): readonly Given[] {
  let next = seed * 7;
  return sections.flatMap(({ name: section, resource }) =>
    Array.from({ length: perField }, (_, turn) => {
      const texts = new Map(
        freeTextPaths(resource.schema).flatMap((path) => {
          next += 1;
          // Ids in paths have their own rules.
          return ['id', 'prompt_id'].includes(path)
            ? []
            : [[path, hostileStrings[next % hostileStrings.length] ?? ''] as const];
        }),
      );
      return { section, name: `${section}-${turn}`, record: buildRecord(resource.name, turn), texts };
    }),
  );
}

/** Escapes `${`, which manifests read as a reference. */
export const escapeReferences = (text: string): string => text.replaceAll('${', () => '$${');

/** Returns a manifest with a field per line. */
function formatManifest(objects: readonly Given[]): string {
  const manifest: Record<string, Record<string, JsonObject>> = {};
  for (const { section, name, record, texts } of objects)
    manifest[section] = {
      ...manifest[section],
      [name]: [...texts].reduce<JsonObject>(
        (body, [path, text]) => setText(body, path.split('.'), escapeReferences(text)),
        record,
      ),
    };
  return JSON.stringify(manifest, null, 1);
}

/** Returns the object and field of a line of such a manifest. */
function findPlace(lines: readonly string[], line: number): string {
  const keys: string[] = [];
  let depth = Number.POSITIVE_INFINITY;
  for (let at = line - 1; at >= 0 && depth > 2; at -= 1) {
    const [, blanks = '', key] = /^( +)"((?:[^"\\]|\\.)*)": /.exec(lines[at] ?? '') ?? [];
    if (key === undefined || blanks.length >= depth) continue;
    depth = blanks.length;
    keys.unshift(key);
  }
  const [object, ...field] = keys;
  return `${object} ${field.join('.')}`;
}

export interface HostileFindings {
  /** Number of stored texts. */
  readonly fields: number;
  /** Messages of refusals. */
  readonly refused: readonly string[];
  readonly wrong: readonly string[];
}

type HostileWorld = Pick<World, 'telctl' | 'sandbox' | 'folders'>;

/** Removes the fields whose string telctl refuses. */
async function removeRefused({ telctl }: HostileWorld, objects: readonly Given[], refused: string[]) {
  let left = objects;
  for (let round = 0; round < 6; round += 1) {
    const text = formatManifest(left);
    const { code, stderr } = await telctl('validate -f m.json --strict-input', { files: { 'm.json': text } });
    if (code === 0) return left;
    const lines = text.split('\n');
    const places = new Set<string>();
    for (const [said, line] of stderr.matchAll(/^m\.json:(\d+):\d+: .*$/gm)) {
      refused.push(said);
      places.add(findPlace(lines, Number(line)));
    }
    const before = left.reduce((sum, { texts }) => sum + texts.size, 0);
    left = left.map((each) => ({
      ...each,
      texts: new Map([...each.texts].filter(([path]) => !places.has(`${each.name} ${path}`))),
    }));
    if (left.reduce((sum, { texts }) => sum + texts.size, 0) === before)
      throw new Error(
        `${[...places].join(', ')}\n${stderr.replaceAll(/^warning: .*\n/gm, '').slice(0, 2000)}`,
      );
  }
  throw new Error(refused.slice(-20).join('\n'));
}

/** Returns the steps in the JSON report of an apply, at any depth. */
function stepsIn(value: Json | undefined): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => stepsIn(each));
  if (!isObject(value)) return [];
  return typeof value.key === 'string' && typeof value.outcome === 'string'
    ? [value]
    : Object.values(value).flatMap(stepsIn);
}

/** Returns the cells of a CSV list, without its header. */
const csvRows = (text: string): readonly (readonly string[])[] =>
  parseCsv({ name: 'list.csv', text }, ',').rows.map(({ cells }) => cells.map(decodeCell));

/**
 * Applies a manifest with hostile strings, and reads the account in every format. `seed` selects the strings of each
 * field.
 */
export async function findInHostileAccount(given: HostileWorld, seed: number): Promise<HostileFindings> {
  const { sandbox, folders } = given;
  const telctl: World['telctl'] = (line, options = {}) =>
    given.telctl(line, { ...options, env: { HOSTILE_PASSWORD: 'first-sign-in', ...options.env } });
  const world = { ...given, telctl };
  const wrong: string[] = [];
  const refused: string[] = [];
  const expectHarmless = (what: string, text: string): void => {
    const found = controlCharacters(text);
    if (found.length > 0) wrong.push(`${what} has ${[...new Set(found)].join(', ')}`);
  };
  const expectSuccess = (
    what: string,
    { code, stdout, stderr }: Awaited<ReturnType<typeof telctl>>,
  ): void => {
    if (code !== 0) wrong.push(`${what} ends with ${code}: ${stderr.slice(0, 1500)}${stdout.slice(0, 1500)}`);
  };
  const accepted = await removeRefused(world, generateObjects(seed), refused);

  const report = await telctl('plan -f m.json -o markdown', { env: { GITHUB_ACTIONS: 'true' } });
  expectHarmless('the Markdown report', report.stdout);
  // Ignores fenced blocks. A fence is longer than any fence in its content.
  const outside = report.stdout.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '');
  if (/^::|^##vso|<script|<img|<!--|@everyone/im.test(outside))
    wrong.push(`the Markdown report has markup: ${outside.slice(0, 500)}`);

  const applied = await telctl('apply -f m.json --yes --on-error continue -o json');
  const failed = new Set(
    stepsIn(JSON.parse(applied.stdout || 'null')).flatMap(({ key, outcome }) =>
      outcome === 'done' ? [] : [String(key)],
    ),
  );
  refused.push(...[...failed].map((key) => `${key} was refused by the service`));
  const left = accepted.filter(({ section, name }) => !failed.has(`${section}.${name}`));
  for (const { section, name, texts } of left) {
    const records = await sandbox.store.allOfKind(section);
    const differences = records.map(({ id, body: stored }) => {
      const body = { id, ...stored };
      return [...texts].filter(([path, text]) => valueAtPath(body, path) !== text);
    });
    const [least = [['', 'no record']]] = differences.toSorted((one, two) => one.length - two.length);
    if (least.length > 0) wrong.push(`${section}.${name} is not stored as given: ${JSON.stringify(least)}`);
  }

  await telctl('validate -f m.json', { files: { 'm.json': formatManifest(left) } });
  expectSuccess('the plan of the same manifest', await telctl('plan -f m.json --exit-code'));
  const exported = await telctl('export --out all.yaml');
  expectSuccess('export', exported);
  expectHarmless('the exported manifest', readFileSync(join(folders.cwd, 'all.yaml'), 'utf8'));
  expectSuccess('the plan of the exported manifest', await telctl('plan -f all.yaml --exit-code'));

  for (const [index, { resource }] of sections.entries()) {
    const [first = 'id', second = 'id'] = freeTextPaths(resource.schema);
    const list = `${commandWordsOf(resource).join(' ')} list --limit 0 --fields ${[...new Set([first, second])].join()}`;
    const read = async (format: string): Promise<string> => {
      const run = await telctl(`${list} -o ${format}`);
      if (run.code !== 0)
        wrong.push(`${list} -o ${format} ends with ${run.code}: ${run.stderr.slice(0, 300)}`);
      expectHarmless(`${list} -o ${format}`, run.stdout + run.stderr);
      return run.stdout;
    };
    const records: readonly JsonObject[] = JSON.parse((await read('json')) || '[]');
    const expectSame = (format: string, others: unknown): void => {
      if (JSON.stringify(others) !== JSON.stringify(records))
        wrong.push(`${list} -o ${format} differs from JSON: ${JSON.stringify(others)?.slice(0, 400)}`);
    };
    // Each resource is read in one of three formats.
    if (index % 3 === 0) expectSame('yaml', parse(await read('yaml')));
    else if (index % 3 === 1) {
      const rows = (await read('ndjson')).split('\n').filter(Boolean);
      expectSame(
        'ndjson',
        rows.map((row): unknown => JSON.parse(row)),
      );
    } else {
      const paths = [...new Set([first, second])];
      const cells = records
        .map((record) => paths.map((path) => valueAtPath(record, path)))
        .filter((row) => row.some((cell) => typeof cell === 'string' && cell.trim() !== ''));
      for (const [at, row] of csvRows(await read('csv')).entries())
        for (const [column, cell] of row.entries()) {
          const value = cells[at]?.[column];
          if (typeof value === 'string' && value !== cell)
            wrong.push(`${list} -o csv has ${JSON.stringify(cell)}, not ${JSON.stringify(value)}`);
        }
    }
    await read('table');
    const template = await telctl([...list.split(' ').slice(0, -2), '--template', `{${first}}`]);
    expectHarmless(`${list} --template`, template.stdout + template.stderr);
  }

  // In a field of another type, every string is refused. Each refusal is an annotation on a CI runner.
  const menus = Object.fromEntries(
    hostileStrings.map((text, at) => [`m${at}`, { name: `M${at}`, retries: [escapeReferences(text)] }]),
  );
  const annotated = await telctl('validate -f bad.json', {
    env: { GITHUB_ACTIONS: 'true' },
    files: { 'bad.json': JSON.stringify({ menus }, null, 1) },
  });
  expectHarmless('annotations', annotated.stderr);
  const commands = annotated.stderr
    .split('\n')
    .filter((line) => line.startsWith('::') || line.startsWith('##'));
  wrong.push(
    ...commands
      .filter((line) => !/^::(?:error|warning|notice) file=bad\.json,line=\d+,col=\d+::/.test(line))
      .map((line) => `a forged command of a runner: ${line}`),
  );
  if (commands.length < 2) wrong.push(`only ${commands.length} annotations`);

  const words = await telctl(['__complete', '--', 'menus', 'get', '']);
  expectHarmless('completion', words.stdout.replaceAll('\t', ''));
  return { fields: left.reduce((sum, { texts }) => sum + texts.size, 0), refused, wrong };
}
