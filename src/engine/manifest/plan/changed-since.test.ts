import { describe, expect, test } from 'vitest';
import {
  type Between,
  created,
  desiredOf,
  type ObservedWorld,
  openObserved,
  userLine,
} from '../../../../test/support/observing.ts';
import type { Ledger } from '../../state/ledger.ts';
import type { DesiredAccount } from '../desired.ts';

const count = 230;
const names = Array.from({ length: count }, (_, index) => `user-${String(index).padStart(3, '0')}`);
const manifest = ['users:', ...names.map((name) => userLine(name))].join('\n');

interface Filled {
  readonly world: ObservedWorld;
  readonly desired: DesiredAccount;
  readonly ledger: Ledger;
  idOf(name: string): string;
  /** Observes; gives the keys that were read one by one, and how many lists were asked for. */
  look(desired?: DesiredAccount, ledger?: Ledger): Promise<Look>;
}

interface Look {
  readonly read: readonly string[];
  readonly lists: number;
  readonly matched: number;
  readonly unfiltered: readonly string[];
}

/** An account with many users, made by telctl over three seconds. */
async function filled(between?: Between, perSecond = 100): Promise<Filled> {
  const world = await openObserved(between ? { between } : {});
  const desired = await desiredOf(manifest);
  const ledger = await created(world, desired, perSecond);
  const ids = new Map(ledger.entries.map(({ key, id }) => [key, id]));
  return {
    world,
    desired,
    ledger,
    idOf: (name) => ids.get(`users.${name}`) ?? '',
    async look(wanted = desired, known = ledger) {
      const before = world.requests.length;
      const { matches, unfiltered } = await world.observe(wanted, known);
      const gets = world.requests.slice(before).filter(({ method }) => method === 'GET');
      return {
        read: [...matches].flatMap(([key, { record }]) => (record ? [key] : [])),
        lists: gets.filter(({ path }) => path.endsWith('/users')).length,
        matched: matches.size,
        unfiltered: [...unfiltered],
      };
    },
  };
}

const withoutFilters: Between = (request) => {
  const url = new URL(request.url);
  for (const name of ['modified_from', 'modified_to']) url.searchParams.delete(name);
  return { ...request, url };
};

describe('many objects in the ledger', () => {
  test('are not read if they are unchanged', async () => {
    const { look } = await filled();
    expect(await look()).toEqual({ read: [], lists: 5, matched: count, unfiltered: [] });
  });

  test('are read if any field has changed since', async () => {
    const { look, world, idOf } = await filled();
    await world.change('PATCH', `users/${idOf('user-007')}`, { first_name: 'Other' });
    await world.change('PATCH', `users/${idOf('user-150')}`, { custom: { deep: 1 } });
    expect((await look()).read).toEqual(['users.user-007', 'users.user-150']);
  });

  test('are read if a listed field changed in the second of the apply', async () => {
    const { look, world, ledger, idOf } = await filled(undefined, count + 1);
    const back = world.sandbox.clock.now() - 5000;
    expect(new Set(ledger.entries.map(({ seen }) => seen)).size).toBe(1);
    world.sandbox.clock.turn(-5000);
    await world.change('PATCH', `users/${idOf('user-007')}`, { first_name: 'Other' });
    world.sandbox.clock.turn(5000);
    expect(world.sandbox.clock.now()).toBe(back + 5000);
    expect((await look()).read).toEqual(['users.user-007']);
  });

  test('are read if the manifest differs from the applied values', async () => {
    const { look } = await filled();
    const desired = await desiredOf(manifest.replace('first_name: user-009', 'first_name: Nine'));
    expect((await look(desired)).read).toEqual(['users.user-009']);
  });

  test('are matched by the full list if an object is new or gone', async () => {
    const { look, world, idOf } = await filled();
    await world.change('DELETE', `users/${idOf('user-010')}`);
    const more = await desiredOf(`${manifest}\n${userLine('new')}`);
    expect(await look(more)).toEqual({ read: [], lists: 6, matched: count - 1, unfiltered: [] });
  });

  test('are read if the manifest no longer contains them', async () => {
    const { world, desired, ledger } = await filled();
    const left = { ...desired, objects: desired.objects.slice(1) };
    const { abandoned } = await world.observe(left, ledger);
    expect([...abandoned].map(([key, { record }]) => [key, record?.username])).toEqual([
      ['users.user-000', 'user-000'],
    ]);
  });

  test('are all read if the service ignores filters, and the filters are not tried again', async () => {
    const { look, ledger } = await filled(withoutFilters);
    const first = await look();
    expect(first).toMatchObject({ lists: 2, matched: count, unfiltered: ['users'] });
    expect(first.read).toHaveLength(count);
    const again = await look(undefined, { ...ledger, unfiltered: ['users'] });
    expect(again).toMatchObject({ lists: 1, matched: count, unfiltered: ['users'] });
  });

  test('are all read if the service treats the filters as a time range and refuses it', async () => {
    const { look } = await filled((request) => {
      const url = new URL(request.url);
      // Lists of faxes are such ones (Conventions, time-ranged lists): this range begins long ago.
      if (url.searchParams.has('modified_from'))
        url.pathname = url.pathname.replace('/users', '/faxes/outbox');
      if (url.searchParams.has('modified_from')) url.search = '?created_from=1';
      return { ...request, url };
    });
    const seen = await look();
    expect(seen).toMatchObject({ matched: count, unfiltered: ['users'] });
    expect(seen.read).toHaveLength(count);
  });

  test('are all read if the service ignores the lower bound', async () => {
    const { look } = await filled((request) => {
      const url = new URL(request.url);
      url.searchParams.delete('modified_from');
      return { ...request, url };
    });
    const seen = await look();
    expect(seen).toMatchObject({ matched: count, unfiltered: ['users'] });
    expect(seen.read).toHaveLength(count);
  });

  test('are read if filters drop them', async () => {
    const { look } = await filled((request) => {
      const url = new URL(request.url);
      // As if no time of change were known: no window holds the object.
      if (url.searchParams.has('modified_to')) url.searchParams.set('modified_to', '1');
      return { ...request, url };
    });
    const seen = await look();
    expect(seen.matched).toBe(count);
    expect(seen.read).toHaveLength(count);
  });

  test('are read if the ledger has no time for them', async () => {
    const { look, ledger } = await filled();
    const entries = ledger.entries.map((entry, index) => (index === 3 ? { ...entry, seen: 0 } : entry));
    expect((await look(undefined, { ...ledger, entries })).read).toEqual(['users.user-003']);
  });

  test('with very many timestamps are partly read, to limit the number of lists', async () => {
    const { look } = await filled(undefined, 1);
    const seen = await look();
    expect(seen.lists).toBeLessThanOrEqual(65);
    expect(seen.matched).toBe(count);
    expect(seen.read.length).toBeGreaterThan(0);
    expect(seen.read.length).toBeLessThan(count);
  });
});
