import fc from 'fast-check';
import { expect, test } from 'vitest';
import { officeObjects } from '../../../test/support/manifest-arbitrary.ts';
import { desiredAccount, ModelAccount } from '../../../test/support/model-account.ts';
import type { DesiredObject } from './desired.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';
import { isSelected, onlySelected, readSelections } from './select-steps.ts';

const planFor = (account: ModelAccount, objects: readonly DesiredObject[]): Plan => {
  const desired = desiredAccount(objects);
  return makePlan({
    desired,
    observed: account.observed(desired),
    ledger: account.ledger(),
    set: 'office',
    prune: false,
    sendUnreadable: false,
  });
};

const words = fc.uniqueArray(
  fc.constantFrom('users', 'callflow', 'callflows/main-line', 'menus/night', 'groups', 'limits'),
  { minLength: 1 },
);

test('a partial apply leaves only the steps that were not selected', () => {
  fc.assert(
    fc.property(officeObjects, officeObjects, words, (before, after, chosen) => {
      const account = new ModelAccount();
      account.apply(planFor(account, before));
      const whole = planFor(account, after);
      fc.pre(!whole.steps.some(({ notes }) => notes.some((note) => note.includes('will refuse'))));
      const selections = readSelections(chosen);
      const part = onlySelected(whole, selections);
      const keys = new Set(part.steps.map(({ key }) => key));
      // What must come before is there, in the order of the whole plan.
      for (const { after: needs } of part.steps) for (const key of needs) expect(keys).toContain(key);
      expect(part.steps).toEqual(whole.steps.filter(({ key }) => keys.has(key)));
      account.apply(part);
      const left = onlySelected(planFor(account, after), selections);
      expect(left.steps.filter(({ by }) => by !== undefined)).toEqual([]);
    }),
  );
});

test('selections name sections, objects and the objects of a for_each', () => {
  const [all, one, rules] = readSelections(['user', 'users/people', 'temporal-rules']);
  expect(rules?.kind).toBe('temporal_rules');
  const named = (key: string): readonly boolean[] =>
    [all, one].map((selection) => selection !== undefined && isSelected(selection, key));
  expect(named('users.people[alice]')).toEqual([true, true]);
  expect(named('users.people2')).toEqual([true, false]);
  expect(named('menus.people')).toEqual([false, false]);
  expect(() => readSelections(['usres/alice'])).toThrow(
    'manifests have no section "usres". Did you mean "users"?',
  );
});
