import { describe, expect, test } from 'vitest';
import { manPages } from '../../scripts/man/pages.mts';
import { isObject, type JsonObject, valueAt } from '../../src/base/json.ts';
import { referredKinds } from '../../src/cli/commands/callflows/copy.ts';
import { searchedKinds } from '../../src/cli/commands/find/commands.ts';
import { followedKinds } from '../../src/cli/commands/orphans/commands.ts';
import { manifests } from '../../src/cli/shell/help/manifests-topic.ts';
import { resources } from '../../src/contract/catalogue.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { flowTargets } from '../../src/contract/record-references.ts';
import { commandWordsOf } from '../../src/contract/resource.ts';
import { sampleIds, samples } from '../../src/contract/samples.ts';
import type { Resource } from '../../src/contract/types.ts';
import { kindOfSection, kinds } from '../../src/engine/manifest/kinds.ts';
import { manifestSchema } from '../../src/engine/manifest/manifest-schema.ts';
import { allCommands } from '../support/command-lines.ts';
import { lookedAt } from '../support/looked-at.ts';
import { openWorld } from '../support/world.ts';
import { minimalRecord } from './operation-rows.ts';

const pages = await manPages('1.2.3');
const document = openApiDocument('conventions');
const page = await (await lookedAt()).look('');
const topic = JSON.stringify(manifests);

/** Returns the fields that contain the id of another record of the account. */
const referencesOf = ({ schema }: Resource): readonly string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([field, { 'x-ref': to, readOnly }]) =>
    readOnly === true || to === undefined || kindOfSection(to)?.shape !== 'many' ? [] : [field],
  );

const idsOfSamples = new RegExp(Object.values(sampleIds).join('|'));

const nobody = 'f'.repeat(32);

/** Returns a record that a manifest can create without references, and the text that identifies it. */
function creatableRecord(
  resource: Resource,
): { readonly record: JsonObject; readonly text: string } | undefined {
  const section = kinds.find((kind) => kind.resource === resource && kind.shape === 'many');
  if (section?.calls.create === undefined || section.keys.includes('id')) return undefined;
  const sample = Object.entries(samples[resource.name]?.record ?? {});
  const alone = sample.filter(([, value]) => !idsOfSamples.test(JSON.stringify(value)));
  const record = { ...minimalRecord(resource.name), ...Object.fromEntries(alone) };
  const key = [...resource.naturalKeys, ...Object.keys(record)].find((each) => record[each] !== undefined);
  const value = valueAt(record, key ?? '');
  return { record, text: String(Array.isArray(value) ? value[0] : value) };
}

describe.each(resources)('$name', (resource) => {
  const { name, absent = {} } = resource;
  const commandWords = commandWordsOf(resource);
  const sections = kinds.filter((kind) => kind.resource === resource);
  const explainAbsence = (where: string): string =>
    `Say why ${name} is left out under \`absent.${where}\` of its file in src/contract/resources, or remove the reason`;

  test('has commands, a manual page, completion words and an explanation', async () => {
    const path = commandWords.join(' ');
    const own = allCommands.filter((command) => `${command.path.join(' ')} `.startsWith(`${path} `));
    expect(own.length).toBeGreaterThan(0);
    expect(pages.get(`telctl-${commandWords[0]}.1`)?.replaceAll('\\-', '-')).toContain(`telctl ${path}`);
    const world = await openWorld({ signIn: 'none' });
    const completed = await world.telctl([
      '__complete',
      '--',
      ...commandWords.slice(0, -1),
      commandWords.at(-1) ?? '',
    ]);
    expect(completed.stdout).toContain(commandWords.at(-1));
    expect(await world.telctl(`explain ${name}`)).toMatchObject({ code: 0, stderr: '' });
  });

  test('is described in the OpenAPI document', () => {
    const { tags, paths } = document;
    expect(tags).toContainEqual(expect.objectContaining({ name }));
    for (const { path } of resource.operations) expect(isObject(paths) && paths[path]).toBeDefined();
  });

  test('has a reason if it is not in the OpenAPI document', () => {
    for (const why of Object.values(absent)) expect(why).toMatch(/^\w.{10,}[^.]$/);
  });

  test('is a manifest section with schema and help, or has a reason', () => {
    expect(sections.length > 0, explainAbsence('manifests')).toBe(absent.manifests === undefined);
    const { properties } = manifestSchema();
    for (const { name: section } of sections) {
      expect(isObject(properties) && properties[section]).toBeDefined();
      expect(topic).toMatch(new RegExp(`\\b${section}\\b`));
    }
  });

  test('is a tile of the sandbox page, or has a reason', () => {
    expect(page.includes(`kind=${name}"`), explainAbsence('page')).toBe(absent.page === undefined);
  });

  test('is searched by find and followed by orphans and copies', () => {
    for (const kind of sections) {
      const isAccount = kind.name === 'accounts';
      expect(searchedKinds.includes(kind), explainAbsence('find')).toBe(
        absent.find === undefined && !isAccount,
      );
      const refers = kind.shape === 'many' && referencesOf(resource).length > 0 && !isAccount;
      if (refers)
        expect(followedKinds.includes(kind), explainAbsence('orphans')).toBe(absent.orphans === undefined);
    }
    expect(referredKinds.includes(name)).toBe(flowTargets.has(name));
  });

  test('has a sample if it can be created', () => {
    const isWritten = resource.operations.some(({ body }) => body?.kind === 'record');
    if (isWritten)
      expect(samples[name]?.record, `Add a row "${name}" to src/contract/samples.ts`).toBeDefined();
  });

  const made = creatableRecord(resource);
  if (made === undefined || name === 'accounts' || name === 'apps') return;

  test('is applied, found, exported and undone', async () => {
    const { record, text } = made;
    const world = await openWorld();
    const manifest = JSON.stringify({ [name]: { sample: record } });
    const applied = await world.telctl('apply -f sample.json --yes', { files: { 'sample.json': manifest } });
    expect(applied.code, applied.stderr).toBe(0);
    const found = await world.telctl(['find', text, '-o', 'json']);
    expect(found.stdout, found.stderr).toContain(`"kind": "${resource.singular}"`);
    const exported = await world.telctl(`export --only ${name} -o json`);
    expect(exported.stdout, exported.stderr).toContain(text);
    const undone = await world.telctl('undo --yes');
    expect(undone.code, undone.stderr).toBe(0);
    expect((await world.telctl(['find', text, '-o', 'json'])).stdout).not.toContain(`"${resource.singular}"`);
  });

  const [reference] = referencesOf(resource);
  if (reference === undefined || absent.orphans !== undefined) return;

  test(`is an orphan if its ${reference} refers to a missing record`, async () => {
    const world = await openWorld();
    await world.service('PUT', name, { ...made.record, [reference]: nobody });
    const orphans = await world.telctl('orphans -o json');
    expect(orphans.stdout, orphans.stderr).toContain(nobody);
  });
});
