import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, valueAt } from '../../src/base/json.ts';
import { operationById, resourceByName } from '../../src/contract/catalogue.ts';
import { fieldsNamed } from '../../src/contract/field-names.ts';
import { allCommands, linesFor } from '../support/command-lines.ts';
import { isDoable, isServedHere, mode } from '../support/mode.ts';
import { openWorld, type World } from '../support/world.ts';
import { leastOf, nobody, type Place, placeIn } from './operation-rows.ts';
import { rowInMode } from './rows-in-mode.ts';

/** Commands that list records of a resource and take `--filter`. */
const lists = allCommands.filter(
  (command) =>
    command.path.at(-1) === 'list' &&
    command.options.filters &&
    command.shows &&
    // A call that waits is live, and no row of the tables has one.
    command.shows !== 'parked_calls' &&
    isDoable(command),
);

/** Operations whose rows make a record of a list, where `get` of the resource makes none. */
const makers: Readonly<Record<string, string>> = {
  'accounts list': 'accounts.delete',
  'agents list': 'queues.roster',
  'faxes list': 'faxes.create',
  'faxes inbox list': 'faxes.received',
  'faxes outbox list': 'faxes.sent',
};

async function itemsOf(world: World, words: readonly string[], filter: readonly string[] = []) {
  const run = await world.telctl([...words, '-o', 'json', '--yes', ...filter]);
  expect(run.code, `${words.join(' ')} ${filter.join(' ')}: ${run.stderr}`).toBe(0);
  const items: unknown = JSON.parse(run.stdout);
  return Array.isArray(items) ? items.filter(isObject) : [];
}

/** A value that can stand in `--filter KEY=VALUE`. */
const isPlain = (value: Json | undefined): value is string | number | boolean =>
  (typeof value === 'string' && value !== '***' && !value.startsWith('[')) ||
  typeof value === 'number' ||
  typeof value === 'boolean';

const textAt = (item: JsonObject, path: string): string => String(valueAt(item, path) ?? '');

async function make(id: string, place: Place): Promise<void> {
  const input = isServedHere(operationById(id)) ? await rowInMode(id)?.minimal?.(place) : undefined;
  if (id === 'queues.roster') await place.make('users', { ...leastOf('users'), queues: [nobody] });
  if (id === 'faxes.create' && isObject(input?.data)) await place.make('faxes', input.data);
}

for (const command of lists) {
  const name = command.path.join(' ');
  test(`a filter of ${name} uses the displayed field`, async () => {
    const world = await openWorld();
    const place = placeIn(world.sandbox);
    const { shows } = command;
    if (shows === undefined) throw new Error('unreachable');
    const resource = resourceByName(shows);
    await make(makers[name] ?? `${shows}.get`, place);
    const [line] = await linesFor(command, world);
    if (line === undefined) throw new Error(`there is no line for ${name}`);
    const items = await itemsOf(world, line.argv);
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
      expect(ids(await itemsOf(world, line.argv, ['--filter', `${path}=${wanted}`])), path).toEqual(
        ids(same),
      );
      expect(
        ids(await itemsOf(world, line.argv, ['--filter', `not_${path}=${wanted}`])),
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
  await make('cdrs.get', placeIn(world.sandbox));
  const lengths = async (value: string) =>
    (await itemsOf(world, ['cdrs', 'list'], ['--filter', `duration_seconds=${value}`])).length;
  expect([await lengths('0s'), await lengths('0'), await lengths('6s')]).toEqual([2, 2, 0]);
});
