import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findMutations, type GeneratedMutation } from './find-mutations.ts';

/** Source that is mutated, and the tests of its subject. Tests next to a mutated file run first. */
interface MutatedModule {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

const scenarios = (...names: readonly string[]) => names.map((name) => `test/scenarios/${name}.test.ts`);

export const mutatedModules: Readonly<Record<string, MutatedModule>> = {
  state: {
    sources: ['src/engine/state', 'src/extensions/fleet/postgres'],
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
        'apply/apply-properties',
        'apply/apply',
      ),
      'test/conformance/isolation.test.ts',
    ],
  },
  fleets: {
    sources: ['src/extensions/fleet/rollout', 'src/extensions/fleet/reconcile', 'src/cli/shell/many'],
    tests: [
      'src/cli/commands/manifest/accounts/many-accounts.test.ts',
      ...scenarios(
        'fleets/reconcile',
        'fleets/rollout-races',
        'fleets/rollout',
        'guards/isolation',
        'charges/charges',
      ),
      'test/drills/fleet-state-gone.test.ts',
      'test/conformance/account-option.test.ts',
    ],
  },
  undo: {
    sources: ['src/cli/commands/manifest/apply', 'src/engine/manifest/undo-fold.ts'],
    tests: [
      'src/cli/commands/manifest/plan/plan.test.ts',
      ...scenarios(
        'undo/undo-guards',
        'guards/guards-by-entry-point',
        'guards/guard-table',
        'fleets/rollout-races',
        'apply/apply',
        'apply/apply-properties',
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
    sources: ['src/cli/commands/charges', 'src/client/api/accept-charges.ts'],
    tests: scenarios(
      'charges/charges-properties',
      'charges/charges',
      'output/forged-rows',
      'output/error-json',
    ),
  },
  session: {
    sources: ['src/client/session'],
    tests: scenarios(
      'sign-in/identity-selection',
      'secrets/own-credentials',
      'sign-in/sign-in',
      'sign-in/sign-in-errors',
      'sign-in/token-life',
      'guards/isolation',
      'secrets/secret-command',
      'state/file-system-errors',
      'state/damaged-files',
    ),
  },
  mcp: {
    sources: ['src/extensions/assistant', 'src/contract/capabilities.ts'],
    tests: [
      ...['files', 'mcp', 'tools'].map((name) => `src/extensions/assistant/${name}.test.ts`),
      ...scenarios('guards/guards-by-entry-point'),
    ],
  },
  offboard: {
    sources: ['src/cli/commands/users'],
    tests: scenarios(
      'users/offboard',
      'users/onboard',
      'accounts/administrators',
      'users/users-import',
      'guards/guards-by-entry-point',
      'output/transcripts',
    ),
  },
  generic: {
    sources: [
      'src/cli/commands/generic',
      'src/cli/commands/guards/guard-request.ts',
      'src/cli/commands/guards/lockout-guard.ts',
    ],
    tests: [
      'src/cli/commands/sso/commands.test.ts',
      ...scenarios(
        'accounts/administrators',
        'guards/guard-table',
        'guards/ignored-filters',
        'guards/deletes',
        'records/edit',
        'output/lists',
      ),
      ...scenarios(
        'output/fields-missing-in-lists',
        'users/users-import',
        'records/lost-updates',
        'records/bulk-outcomes',
        'records/files',
        'records/ids',
        'apply/duplicates',
      ),
      ...scenarios('service/request-details', 'output/output'),
    ],
  },
  calls: {
    sources: ['src/extensions/calls/engine', 'src/extensions/calls/cases'],
    tests: [
      'src/extensions/calls/commands/test.test.ts',
      'src/extensions/calls/commands/trace.test.ts',
      'src/extensions/sandbox/calls/calls.test.ts',
      ...scenarios('calls/emergency'),
    ],
  },
  numbers: {
    sources: [
      'src/contract/phone-number.ts',
      'src/contract/emergency-numbers.ts',
      'src/contract/emergency-problems.ts',
      'src/contract/dialling-plans.ts',
      'src/contract/number-classes.ts',
      'src/contract/short-patterns.ts',
    ],
    tests: scenarios(
      'calls/emergency',
      'numbers/undialable-numbers',
      'numbers/number-findings',
      'accounts/country',
    ),
  },
  time: {
    sources: [
      'src/base/zoned-time.ts',
      'src/base/moment.ts',
      'src/contract/temporal-match.ts',
      'src/contract/temporal-findings.ts',
      'src/contract/temporal-route.ts',
    ],
    tests: ['src/base/duration.test.ts', ...scenarios('accounts/calendar-days')],
  },
  files: {
    sources: ['src/base/host'],
    tests: scenarios(
      'state/file-system-errors',
      'state/damaged-files',
      'state/state-on-disk',
      'records/files',
    ),
  },
  console: {
    sources: ['src/extensions/sandbox/console'],
    tests: [...scenarios('guards/isolation'), 'test/conformance/isolation.test.ts'],
  },
  identity: {
    sources: ['src/extensions/sandbox/identity'],
    tests: [
      ...scenarios(
        'sign-in/sign-in',
        'sign-in/sign-in-errors',
        'sign-in/token-life',
        'guards/isolation',
        'secrets/own-credentials',
        'sign-in/token-validity',
      ),
      'test/conformance/unsupported-commands.test.ts',
    ],
  },
};

const sourceFiles = (source: string): readonly string[] =>
  source.endsWith('.ts')
    ? [source]
    : globSync(`${source}/**/*.ts`).filter((path) => !/\.test\.ts$|generated/.test(path));

export const generateMutations = (module: string): readonly GeneratedMutation[] =>
  (mutatedModules[module]?.sources ?? [])
    .flatMap(sourceFiles)
    .flatMap((path) => findMutations(path, readFileSync(path, 'utf8')));

/** Returns the tests near a source file: the test of the same name, then those of its folder or of the folder above. */
export function nearbyTests(file: string): readonly string[] {
  const own = file.replace(/\.ts$/, '.test.ts');
  const near = [dirname(file), dirname(dirname(file))].map((folder) =>
    globSync(`${folder}/*.test.ts`).sort(),
  );
  return [...new Set([...(existsSync(own) ? [own] : []), ...(near.find((tests) => tests.length > 0) ?? [])])];
}

/** Returns a random sample of a list. The same seed returns the same sample. */
export function selectSample<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  const remaining = [...all];
  let state = seed >>> 0 || 1;
  const sample: T[] = [];
  while (remaining.length > 0 && sample.length < count) {
    // The linear congruential generator of Numerical Recipes, without its low bits, is the same on every machine.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    sample.push(...remaining.splice((state >>> 16) % remaining.length, 1));
  }
  return sample;
}
