import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Each guard at each door: the test that tries it there, or the reason why there is nothing to try.

const doors = [
  ...([
    'delete',
    'patch',
    'all',
    'import',
    'offboard',
    'apply',
    'undo',
    'rollout',
    'api',
    'mcp',
    'library',
  ] as const),
] as const;
type Door = (typeof doors)[number];

/** Words of a test, in its file; `-` and a reason where there is nothing to try. */
type Cell = readonly [file: string, words: string] | `- ${string}`;

const byDoor = 'test/scenarios/guards-by-door.test.ts';
const people = 'test/scenarios/administrators.test.ts';
const prune = 'test/scenarios/prune-guards.test.ts';
const moments = 'test/scenarios/between-moments.test.ts';
const twins = 'test/scenarios/isolation.test.ts';
const safety = 'test/conformance/safety.test.ts';
const tenant = 'test/conformance/right-tenant.test.ts';
const library = 'src/library/library.test.ts';

const noDelete = '- it deletes nothing';
const readOnly = [safety, 'sends no write under a read-only profile'] as const;
const ownTenant = [tenant, '--account is honoured'] as const;
const noRun = '- it is no run that could be under way';
const noSet = '- it goes by names and ids, and is said of the object itself: what a set protects is kept';
const ownService = '- it is sent to the service of its profile, as every request';

const held: Readonly<Record<string, Readonly<Record<Door, Cell>>>> = {
  'what a manifest protects': {
    delete: [byDoor, 'menus delete Main --yes --force'],
    patch: '- protection is against being deleted',
    all: '- protection is against being deleted',
    import: noDelete,
    offboard: [byDoor, 'users offboard alice --yes'],
    apply: [prune, 'a protected account or one that holds something protected is not pruned'],
    undo: [byDoor, 'undo --yes --force --overwrite'],
    rollout: [byDoor, 'rollout undo 1 --yes --force --overwrite'],
    api: [byDoor, 'api DELETE /v2/accounts/{account_id}/%6denus/MENU --yes --force'],
    mcp: [byDoor, "test('an assistant'"],
    library: [library, 'what a manifest protects, a program does not delete'],
  },
  'the last administrator, and oneself': {
    delete: [people, 'users delete NAME --yes --force'],
    patch: [people, 'users patch NAME --priv-level user --yes'],
    all: [people, 'users patch --all --priv-level user --yes'],
    import: [people, 'users import u.csv --existing update --yes'],
    offboard: [people, 'users offboard NAME --yes'],
    apply: [people, 'apply -f u.yaml --yes --force'],
    undo: [people, 'an undo that would delete the last administrator is refused whole'],
    rollout: [byDoor, 'no rollout takes the last administrator of an account'],
    api: [people, 'api DELETE /accounts/{account_id}/%75sers/ID/ --yes --force'],
    mcp: [byDoor, 'no assistant changes roles or deletes who is signed in'],
    library: [library, 'what a command does by name alone, a program does by name alone'],
  },
  'an object of another set': {
    delete: noSet,
    patch: noSet,
    all: noSet,
    import: [prune, 'a set takes objects of another only when told, and is their owner from then on'],
    offboard: noSet,
    apply: [prune, 'a set takes objects of another only when told, and is their owner from then on'],
    undo: [prune, 'an undo leaves what a manifest protects by now, or another set manages'],
    rollout: [prune, 'a set takes objects of another only when told, and is their owner from then on'],
    api: noSet,
    mcp: noSet,
    library: [
      'src/library/for-programs.test.ts',
      'what an apply asks for is said by its options, and taken so',
    ],
  },
  'what is still running': {
    delete: noRun,
    patch: noRun,
    all: noRun,
    import: noRun,
    offboard: noRun,
    apply: [
      'test/scenarios/shared-state.test.ts',
      'a lock that somebody holds is waited for as long as --wait says',
    ],
    undo: [byDoor, 'a run that is under way is not reversed'],
    rollout: [moments, 'a rollout is not reversed while it runs'],
    api: noRun,
    mcp: '- it offers neither undo nor rollouts of what another process does, but by the commands above',
    library: '- it has neither undo nor rollouts',
  },
  'a whole account': {
    delete: [byDoor, 'accounts delete branch --yes --confirm other'],
    patch: noDelete,
    all: '- no command deletes several accounts at once',
    import: noDelete,
    offboard: '- it is about a user',
    apply: [prune, 'a protected account or one that holds something protected is not pruned'],
    undo: [byDoor, 'undo --yes --force keeps an account that its run made'],
    rollout: [byDoor, 'undo --yes --force keeps an account that its run made'],
    api: [byDoor, 'api DELETE /v2/%61ccounts/BRANCH --yes'],
    mcp: [byDoor, 'no assistant does it'],
    library: ['src/library/for-programs.test.ts', 'a call that asks for a name is refused without it'],
  },
  'another service': {
    delete: ownService,
    patch: ownService,
    all: ownService,
    import: ownService,
    offboard: ownService,
    apply: [twins, 'is not changed by a plan that was kept for the own account'],
    undo: [twins, 'is not changed by an undo of a run at the own account'],
    rollout: [moments, 'a rollout and a kept plan are carried out at their own service alone'],
    api: ownService,
    mcp: ownService,
    library: ownService,
  },
  'another account': {
    delete: ownTenant,
    patch: ownTenant,
    all: ownTenant,
    import: ownTenant,
    offboard: ownTenant,
    apply: [twins, 'is not changed by a plan that was kept for the own account'],
    undo: [twins, 'is not changed by an undo of a run at the own account'],
    rollout: [twins, 'is not changed by what was begun at the own account'],
    api: ownTenant,
    mcp: ownTenant,
    library: [library, 'a call for another account goes there, by its name'],
  },
  'a profile that only reads': {
    delete: readOnly,
    patch: readOnly,
    all: readOnly,
    import: readOnly,
    offboard: readOnly,
    apply: readOnly,
    undo: readOnly,
    rollout: readOnly,
    api: readOnly,
    mcp: readOnly,
    library: ['src/library/allowed.test.ts', 'refused to a client that reads only, before anything is sent'],
  },
};

test.each(Object.entries(held))('%s: each door has its test', (_, cells) => {
  for (const door of doors) {
    const cell = cells[door];
    if (typeof cell === 'string') expect(cell.length, door).toBeGreaterThan(10);
    else expect(readFileSync(cell[0], 'utf8').includes(cell[1]), `${door}: ${cell.join(' ')}`).toBe(true);
  }
});
