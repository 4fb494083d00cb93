import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, valueAt } from '../../src/base/json.ts';
import { operationById, resourceByName } from '../../src/contract/catalogue.ts';
import { fieldsNamed } from '../../src/contract/field-names.ts';
import { allCommands, createLines } from '../support/command-lines.ts';
import { isDoable, isServedHere, mode } from '../support/mode.ts';
import { openWorld, type World } from '../support/world.ts';
import { createPlace, minimalRecord, type Place, unknownId } from './operation-rows.ts';
import { operationRow } from './rows-in-mode.ts';

const lists = allCommands.filter(
  (command) =>
    command.path.at(-1) === 'list' &&
    command.options.filters &&
    command.shows &&
    // A parked call is live, and no row of the tables has one.
    command.shows !== 'parked_calls' &&
    isDoable(command),
);

/** Operations whose rows create a record for a list, if `get` of the resource does not. */
const makers: Readonly<Record<string, string>> = {
  'accounts list': 'accounts.delete',
  'agents list': 'queues.roster',
  'faxes list': 'faxes.create',
  'faxes inbox list': 'faxes.received',
  'faxes outbox list': 'faxes.sent',
};

async function listItems(world: World, words: readonly string[], filter: readonly string[] = []) {
  const run = await world.telctl([...words, '-o', 'json', '--yes', ...filter]);
  expect(run.code, `${words.join(' ')} ${filter.join(' ')}: ${run.stderr}`).toBe(0);
  const items: unknown = JSON.parse(run.stdout);
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** Returns true for a value that can be written in `--filter KEY=VALUE`. */
const isPlain = (value: Json | undefined): value is string | number | boolean =>
  (typeof value === 'string' && value !== '***' && !value.startsWith('[')) ||
  typeof value === 'number' ||
  typeof value === 'boolean';

const textAt = (item: JsonObject, path: string): string => String(valueAt(item, path) ?? '');

async function createRow(id: string, place: Place): Promise<void> {
  const input = isServedHere(operationById(id)) ? await operationRow(id)?.minimal?.(place) : undefined;
  if (id === 'queues.roster') await place.make('users', { ...minimalRecord('users'), queues: [unknownId] });
  if (id === 'faxes.create' && isObject(input?.data)) await place.make('faxes', input.data);
}

for (const command of lists) {
  const name = command.path.join(' ');
  test(`a filter of ${name} uses the displayed field`, async () => {
    const world = await openWorld();
    const place = createPlace(world.sandbox);
    const { shows } = command;
    if (shows === undefined) throw new Error('unreachable');
    const resource = resourceByName(shows);
    await createRow(makers[name] ?? `${shows}.get`, place);
    const [line] = await createLines(command, world);
    if (line === undefined) throw new Error(`there is no line for ${name}`);
    const items = await listItems(world, line.argv);
    const [first] = items;
    if (first === undefined)
      throw new Error(
        `There is no record for ${name}: add the operation that makes one to \`makers\` in test/conformance/filters.test.ts.`,
      );
    const shown = [...resource.columns.flatMap((column) => column.paths), ...Object.keys(first)];
    const paths = [...new Set(shown)].filter((path) => fieldsNamed(resource, path) !== undefined);
    for (const path of paths.filter((each) => isPlain(valueAt(first, each)))) {
      const wanted = textAt(first, path);
      const ids = (all: readonly JsonObject[]) => all.map((item) => textAt(item, 'id')).sort();
      const same = items.filter((item) => textAt(item, path) === wanted);
      const others = items.filter((item) => textAt(item, path) !== wanted);
      expect(ids(await listItems(world, line.argv, ['--filter', `${path}=${wanted}`])), path).toEqual(
        ids(same),
      );
      expect(
        ids(await listItems(world, line.argv, ['--filter', `not_${path}=${wanted}`])),
        `not ${path}`,
      ).toEqual(ids(others));
    }
  });
}

test('every list is covered', () => {
  if (mode === undefined) expect(lists.length).toBeGreaterThan(35);
});

test('filters accept durations in the format of the table', async () => {
  if (mode === 'specification')
    return expect(lists.map(({ path }) => path.join(' '))).not.toContain('cdrs list');
  const world = await openWorld();
  await createRow('cdrs.get', createPlace(world.sandbox));
  const countCalls = async (value: string) =>
    (await listItems(world, ['cdrs', 'list'], ['--filter', `duration_seconds=${value}`])).length;
  expect([await countCalls('0s'), await countCalls('0'), await countCalls('6s')]).toEqual([2, 2, 0]);
});
