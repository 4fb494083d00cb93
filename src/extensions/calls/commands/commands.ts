import { type Command, defineCommand } from '../../../cli/command/command.ts';
import { manifestOptions } from '../../../cli/commands/manifest-options.ts';

export const testArguments = {
  cases: {
    name: 'CASES',
    doc: 'Case files or folders (default: calls/*.yaml)',
    rest: true,
    optional: true,
    completes: 'file',
  },
} as const;

export const testOptions = {
  ...manifestOptions,
  only: { value: 'NAME', repeat: true, doc: 'Run only cases with this name' },
  coverage: { doc: 'List steps, branches and rules that no case reaches' },
  minCoverage: { value: 'N%', doc: 'Exit with code 3 if coverage is lower' },
  explore: {
    value: 'N',
    type: 'integer',
    minimum: 1,
    maximumForAssistants: 20_000,
    doc: 'Instead, try N random calls and report the shortest that reach nobody, loop or fail',
  },
  seed: {
    value: 'S',
    type: 'integer',
    minimum: 0,
    doc: 'Seed of the random calls (default: 1)',
    needs: ['explore'],
  },
} as const;

export const testInitOptions = {
  ...manifestOptions,
  out: { value: 'FILE', doc: 'New file to write (default: standard output)', does: ['writes-files'] },
} as const;

export const testCommands: readonly Command[] = [
  defineCommand({
    path: ['test'],
    summary: 'Simulate the calls of case files and check the results',
    description:
      'Simulates each call against the manifests of -f, or against the account, which is only read. A failed case names the step, rule and time that decided. A case with an unsupported step is inconclusive unless it has gaps: allowed. Exits with code 3 if a case fails or is inconclusive, or if coverage is too low. Exits with code 10 if a file is not valid. See docs/test-calls.md for the format.',
    arguments: testArguments,
    options: testOptions,
    effect: 'read',
    account: true,
    markdown: true,
    documents: ['junit', 'tap', 'html'],
    examples: {
      'telctl test -f office.yaml': 'Run the cases of calls/ against a manifest',
      'telctl test calls/office.yaml': 'Run cases against the account',
      'telctl test -f office.yaml --min-coverage 80% -o junit': 'Run in CI with a minimum coverage',
      'telctl test -f office.yaml -o markdown': 'Write a job summary',
      'telctl test -f office.yaml --coverage -o html > calls.html': 'Draw the callflows with their coverage',
      'telctl test -f office.yaml --explore 2000 --seed 7': 'Search for calls that nobody answers',
    },
    operations: [
      'callflows.list',
      'callflows.get',
      'menus.list',
      'menus.get',
      'accounts.get',
      'users.list',
      'users.get',
      'devices.list',
      'devices.get',
      'vmboxes.list',
      'vmboxes.get',
      'numbers.classifiers',
    ],
    load: async () => (await import('./test.ts')).runCallTests,
  }),
  defineCommand({
    path: ['test', 'init'],
    summary: 'Create case files from current behavior',
    description:
      'Writes a case for each number, each branch of rules and menus, outside hours, on holidays and without an answer. Reads the manifests of -f, or the account. The cases pass as written. Change those that should behave differently. Existing files are never overwritten.',
    options: testInitOptions,
    effect: 'read',
    account: true,
    examples: {
      'telctl test init -f office.yaml --out calls/office.yaml': 'Create cases from a manifest',
      'telctl test init': 'Print cases for the account',
    },
    operations: [
      'callflows.list',
      'callflows.get',
      'menus.list',
      'users.list',
      'devices.list',
      'numbers.classifiers',
    ],
    load: async () => (await import('./test.ts')).writeFirstCases,
  }),
];
