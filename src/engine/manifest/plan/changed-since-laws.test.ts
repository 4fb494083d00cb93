import fc from 'fast-check';
import { expect, test } from 'vitest';
import { salt, set } from '../../../../test/support/observing.ts';
import { kindByName } from '../kinds.ts';
import { entryFor } from '../ledger-entries.ts';
import type { Service } from '../service.ts';
import { listInWindows } from './find-live-objects.ts';

const kind = kindByName('users');
const unused = async (): Promise<never> => {
  throw new Error('not asked for');
};

interface Live {
  readonly seen: number;
  /** Seconds after it was seen at which somebody changed it; 0 and less: not since. */
  readonly later: number;
  /** The service's filters leave it out. */
  readonly dropped: boolean;
}

/** A service's reading of the bounds of a filter. */
interface Manners {
  readonly from: boolean;
  readonly to: boolean;
}

/** A service that has nothing but one list. */
function serviceWith(objects: readonly Live[], { from, to }: Manners): Service {
  return {
    accountId: 'a',
    offers: () => true,
    async list(_, { query = {}, atMost = Number.POSITIVE_INFINITY } = {}) {
      const lower = from && query.modified_from !== undefined ? Number(query.modified_from) : 0;
      const upper =
        to && query.modified_to !== undefined ? Number(query.modified_to) : Number.POSITIVE_INFINITY;
      const items = objects.flatMap(({ seen, later, dropped }, index) => {
        const modified = Math.max(2, seen + later);
        return dropped || modified < lower || modified > upper ? [] : [{ id: `id-${index}` }];
      });
      return { items: items.slice(0, atMost), atSeconds: 1000 };
    },
    get: unused,
    create: unused,
    patch: unused,
    replace: unused,
    remove: unused,
    end: unused,
    upload: unused,
    download: unused,
  };
}

const entriesOf = (objects: readonly Live[]) =>
  objects.map(({ seen }, index) =>
    entryFor(salt, {
      set,
      key: `users.u${index}`,
      kind: 'users',
      id: `id-${index}`,
      origin: 'created',
      protect: false,
      fields: {},
      record: {},
      atSeconds: seen,
      nowMs: 1,
    }),
  );

const live = (seconds: number): fc.Arbitrary<Live> =>
  fc.record({
    seen: fc.integer({ min: 100, max: 100 + seconds }),
    later: fc.integer({ min: -5, max: 5 }),
    dropped: fc.boolean(),
  });
const manners = fc.record({ from: fc.boolean(), to: fc.boolean() });

test('never treats a changed object as unchanged, whatever the service does with filters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(3, 300).chain((seconds) => fc.array(live(seconds), { maxLength: 150 })),
      manners,
      async (objects, how) => {
        const changes = await listInWindows(serviceWith(objects, how), kind, entriesOf(objects), 3);
        for (const [index, { later, dropped }] of objects.entries())
          if (later > 0 || dropped) expect(changes?.unchanged.has(`id-${index}`) ?? false).toBe(false);
      },
    ),
  );
});

test('recognizes every unchanged object if filters work and the timestamps are few', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(live(50), { maxLength: 80 }), async (objects) => {
      const changes = await listInWindows(
        serviceWith(objects, { from: true, to: true }),
        kind,
        entriesOf(objects),
        3,
      );
      const expected = objects.flatMap(({ later, dropped }, index) =>
        later <= 0 && !dropped ? [`id-${index}`] : [],
      );
      expect([...(changes?.unchanged ?? [])].sort()).toEqual(expected.sort());
      expect(changes?.listed).toHaveLength(objects.filter(({ dropped }) => !dropped).length);
    }),
  );
});

test('requests one object and no list from a service that ignores filters', async () => {
  const objects = [1, 2].map((later) => ({ seen: 100, later, dropped: false }));
  const service = serviceWith(objects, { from: false, to: false });
  const asked: (number | undefined)[] = [];
  const list: Service['list'] = async (of, options) => {
    asked.push(options?.atMost);
    return service.list(of, options);
  };
  expect(await listInWindows({ ...service, list }, kind, entriesOf(objects), 3)).toBeUndefined();
  expect(asked).toEqual([1]);
});
