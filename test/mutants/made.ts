import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findFaults, type MadeFault } from './find-faults.ts';

/** Where faults of a room are made, and what is run for each of them beside the tests that stand next to its file. */
interface MadeRoom {
  readonly places: readonly string[];
  readonly tests: readonly string[];
}

const scenarios = (...names: readonly string[]) => names.map((name) => `test/scenarios/${name}.test.ts`);

/** Rooms in which faults are made from the source. */
export const madeRooms: Readonly<Record<string, MadeRoom>> = {
  state: {
    places: ['src/engine/state', 'src/extensions/fleet/postgres'],
    tests: [
      ...['open-state', 'merge-ledgers', 'watched-state'].map((name) => `src/engine/state/${name}.test.ts`),
      'src/extensions/fleet/postgres/open-database.shared-state.test.ts',
      'src/cli/commands/manifest/apply/ledger-life.test.ts',
      ...scenarios(
        'state/log',
        'state/state-on-disk',
        'state/damaged-files',
        'guards/isolation',
        'fleets/rollout',
        'state/shared-state',
      ),
      ...scenarios(
        'state/shared-state-roles',
        'state/ledger-merge',
        'undo/undo-guards',
        'apply/apply-laws',
        'apply/apply',
      ),
      'test/conformance/isolation.test.ts',
    ],
  },
  fleets: {
    places: ['src/extensions/fleet/rollout', 'src/extensions/fleet/reconcile', 'src/cli/shell/many'],
    tests: [
      'src/cli/commands/manifest/accounts/many-accounts.test.ts',
      ...scenarios(
        'fleets/reconcile',
        'fleets/between-moments',
        'fleets/rollout',
        'guards/isolation',
        'charges/charges',
      ),
      'test/drills/fleet-state-gone.test.ts',
      'test/conformance/right-tenant.test.ts',
    ],
  },
  undo: {
    places: ['src/cli/commands/manifest/apply', 'src/engine/manifest/undo-fold.ts'],
    tests: [
      'src/cli/commands/manifest/plan/plan.test.ts',
      ...scenarios(
        'undo/undo-guards',
        'guards/guards-by-door',
        'guards/every-door',
        'fleets/between-moments',
        'apply/apply',
        'apply/apply-laws',
        'apply/ownership',
      ),
      ...scenarios(
        'guards/protection',
        'apply/pipeline',
        'state/log',
        'guards/isolation',
        'apply/own-ids',
        'apply/apply-faults',
      ),
      'test/conformance/log.test.ts',
    ],
  },
  charges: {
    places: ['src/cli/commands/charges', 'src/client/api/accept-charges.ts'],
    tests: scenarios('charges/charges-laws', 'charges/charges', 'output/forged-rows', 'output/error-alone'),
  },
  session: {
    places: ['src/client/session'],
    tests: scenarios(
      'sign-in/who-speaks',
      'secrets/own-credentials',
      'sign-in/sign-in',
      'sign-in/sign-in-trouble',
      'sign-in/token-life',
      'guards/isolation',
      'secrets/secret-command',
      'state/machine-trouble',
      'state/damaged-files',
    ),
  },
  mcp: {
    places: ['src/extensions/assistant', 'src/contract/capabilities.ts'],
    tests: [
      ...['files', 'mcp', 'tools'].map((name) => `src/extensions/assistant/${name}.test.ts`),
      ...scenarios('guards/guards-by-door'),
    ],
  },
  offboard: {
    places: ['src/cli/commands/users'],
    tests: scenarios(
      'users/offboard',
      'users/onboard',
      'accounts/administrators',
      'users/users-import',
      'guards/guards-by-door',
      'output/transcripts',
    ),
  },
  generic: {
    places: [
      'src/cli/commands/generic',
      'src/cli/commands/guards/guard-request.ts',
      'src/cli/commands/guards/lockout-guard.ts',
    ],
    tests: [
      'src/cli/commands/sso/commands.test.ts',
      ...scenarios(
        'accounts/administrators',
        'guards/every-door',
        'guards/ignored-filters',
        'guards/deletes',
        'records/edit',
        'output/lists',
      ),
      ...scenarios(
        'output/open-fields',
        'users/users-import',
        'records/lost-updates',
        'records/bulk-ends',
        'records/files',
        'records/ids',
        'apply/doubles',
      ),
      ...scenarios('service/small-promises', 'output/output'),
    ],
  },
  console: {
    places: ['src/extensions/sandbox/console'],
    tests: [...scenarios('guards/isolation'), 'test/conformance/isolation.test.ts'],
  },
  identity: {
    places: ['src/extensions/sandbox/identity'],
    tests: [
      ...scenarios(
        'sign-in/sign-in',
        'sign-in/sign-in-trouble',
        'sign-in/token-life',
        'guards/isolation',
        'secrets/own-credentials',
        'sign-in/states',
      ),
      'test/conformance/modes.test.ts',
    ],
  },
};

const sourcesIn = (place: string): readonly string[] =>
  place.endsWith('.ts')
    ? [place]
    : globSync(`${place}/**/*.ts`).filter((path) => !/\.test\.ts$|generated/.test(path));

/** Makes all faults of a room. */
export const faultsOf = (room: string): readonly MadeFault[] =>
  (madeRooms[room]?.places ?? [])
    .flatMap(sourcesIn)
    .flatMap((path) => findFaults(path, readFileSync(path, 'utf8')));

/** The tests beside a source file, nearest first: of its own name, of its folder, of the folder above. */
export function testsBeside(file: string): readonly string[] {
  const own = file.replace(/\.ts$/, '.test.ts');
  const near = [dirname(file), dirname(dirname(file))].map((folder) =>
    globSync(`${folder}/*.test.ts`).sort(),
  );
  return [...new Set([...(existsSync(own) ? [own] : []), ...(near.find((tests) => tests.length > 0) ?? [])])];
}

/** Some of a list, chosen by a seed: the same seed chooses the same. */
export function sampleOf<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const left = [...all];
  let state = seed >>> 0 || 1;
  const chosen: T[] = [];
  while (left.length > 0 && chosen.length < count) {
    // The linear congruential generator of Numerical Recipes, without its low bits: it has to be the same everywhere.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    chosen.push(...left.splice((state >>> 16) % left.length, 1));
  }
  return chosen;
}
