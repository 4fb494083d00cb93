import fc from 'fast-check';
import { expect, test } from 'vitest';
import { officeObjects } from '../../../../test/support/manifest-arbitrary.ts';
import { desiredAccount, ModelAccount } from '../../../../test/support/model-account.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { type DesiredObject, referencesIn } from '../desired.ts';
import { makePlan } from '../make-plan.ts';
import type { Plan, Step } from '../plan.ts';
import { shownPlan } from '../shown-plan.ts';

const planFor = (account: ModelAccount, objects: readonly DesiredObject[], prune = false): Plan => {
  const desired = desiredAccount(objects);
  return makePlan({
    desired,
    observed: account.observed(desired),
    ledger: account.ledger(),
    set: 'office',
    prune,
    sendUnreadable: false,
  });
};

const sends = ({ steps }: Plan): readonly Step[] =>
  steps.filter(({ send, action }) => send !== undefined || action === 'delete');

/** An account to which some objects were applied. */
function accountWith(objects: readonly DesiredObject[]): ModelAccount {
  const account = new ModelAccount();
  account.apply(planFor(account, objects));
  return account;
}

test('plans no changes directly after an apply', () => {
  fc.assert(
    fc.property(officeObjects, (objects) => {
      expect(sends(planFor(accountWith(objects), objects))).toEqual([]);
    }),
  );
});

test('applying a second manifest leaves the account as the second one describes it', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const account = accountWith(before);
      const plan = planFor(account, after);
      // A number of a callflow that the second manifest does not name, and that stays.
      fc.pre(!plan.steps.some(({ notes }) => notes.some((note) => note.includes('will refuse'))));
      account.apply(plan);
      expect(sends(planFor(account, after))).toEqual([]);
    }),
  );
});

test('with prune, only objects in the manifest remain', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      fc.pre(before.length > 0 && after.length > 0);
      const account = accountWith(before);
      account.apply(planFor(account, after, true));
      const kept = account.keys().filter((key) => key !== 'limits');
      expect(kept).toEqual(
        after
          .map(({ key }) => key)
          .filter((key) => key !== 'limits')
          .sort(),
      );
    }),
  );
});

test('without prune, no object is deleted', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const { steps } = planFor(accountWith(before), after);
      expect(steps.filter(({ action }) => action === 'delete')).toEqual([]);
    }),
  );
});

test('the order of objects and keys affects only the order of steps', () => {
  const turned = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => turned(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]) => [key, inner === undefined ? inner : turned(inner)]),
    );
  };
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const account = accountWith(before);
      const reversed = after.toReversed().map((object) => {
        const fields = turned(object.fields);
        return { ...object, fields: isObject(fields) ? fields : {} };
      });
      const summary = (plan: Plan) =>
        plan.steps.map(({ key, action, changes }) => [key, action, changes.length]).sort();
      expect(summary(planFor(account, reversed))).toEqual(summary(planFor(account, after)));
    }),
  );
});

test('reordered sets and explicit defaults are not changes', () => {
  fc.assert(
    fc.property(officeObjects, (objects) => {
      const account = accountWith(objects);
      const said = objects.map((object): DesiredObject => {
        const { flags, numbers } = object.fields;
        return {
          ...object,
          fields: {
            ...object.fields,
            ...(Array.isArray(flags) ? { flags: flags.toReversed() } : {}),
            ...(Array.isArray(numbers) ? { numbers: numbers.toReversed() } : {}),
            ...(object.kind === 'menus' && object.fields.retries === undefined ? { retries: 3 } : {}),
            ...(object.kind === 'users' && object.fields.enabled === undefined ? { enabled: true } : {}),
            ...(object.kind === 'users' ? { username: object.name.toUpperCase() } : {}),
          },
        };
      });
      expect(sends(planFor(account, said))).toEqual([]);
    }),
  );
});

test('every step follows its references and dependencies', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const { steps } = planFor(accountWith(before), after);
      const place = new Map(steps.map(({ key }, index) => [key, index]));
      for (const [index, step] of steps.entries())
        for (const key of [...step.after, ...referencesIn(step.send)])
          expect(place.get(key), `${step.key} comes before ${key}`).toBeLessThan(index);
    }),
  );
});

test('creates an object in two steps only if it refers to itself, directly or indirectly', () => {
  fc.assert(
    fc.property(officeObjects, (objects) => {
      const { steps } = planFor(new ModelAccount(), objects);
      const refersTo = new Map(objects.map((object) => [object.key, object.refersTo]));
      const reaches = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
        for (const key of refersTo.get(from) ?? []) if (!seen.has(key)) reaches(key, seen.add(key));
        return seen;
      };
      for (const { completes } of steps) if (completes) expect(reaches(completes)).toContain(completes);
      expect(steps.filter(({ action }) => action === 'create').length).toBe(
        objects.filter(({ kind }) => kind !== 'limits').length,
      );
    }),
  );
});

test('a new plan completes an apply that was interrupted at any step', () => {
  fc.assert(
    fc.property(officeObjects, fc.nat(), (objects, at) => {
      const account = new ModelAccount();
      const plan = planFor(account, objects);
      account.apply({ ...plan, steps: plan.steps.slice(0, at % (plan.steps.length + 1)) });
      account.apply(planFor(account, objects));
      expect(sends(planFor(account, objects))).toEqual([]);
    }),
  );
});

test('a plan survives a JSON round trip', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const plan = planFor(accountWith(before), after);
      expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
    }),
  );
});

test('a shown plan contains no secrets', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const text = JSON.stringify(shownPlan(planFor(accountWith(before), after)));
      expect(text).not.toMatch(/-secret|1234"|5678"/);
    }),
  );
});

test('planning is deterministic', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, (before, after) => {
      const account = accountWith(before);
      expect(planFor(account, after, false)).toEqual(planFor(account, after, false));
    }),
  );
});
