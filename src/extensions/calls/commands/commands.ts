import { type Command, defineCommand } from '../../../cli/command/command.ts';
import { manifestOptions } from '../../../cli/commands/manifest-options.ts';

export const testArguments = {
  cases: {
    name: 'CASES',
    doc: 'Case files, or folders of them; calls/*.yaml by default',
    rest: true,
    optional: true,
    completes: 'file',
  },
} as const;

export const testOptions = {
  ...manifestOptions,
  only: { value: 'NAME', repeat: true, doc: 'Only the cases of these names' },
  coverage: { doc: 'Say which steps, branches and rules no case reaches' },
  minCoverage: { value: 'N%', doc: 'End with 3 where the cases reach less than this share' },
  explore: {
    value: 'N',
    type: 'integer',
    minimum: 1,
    maximumForAssistants: 20_000,
    doc: 'Try N calls at random times with random keys and behaviour instead, and report the shortest that ends at nobody, in a loop or in an error',
  },
  seed: {
    value: 'S',
    type: 'integer',
    minimum: 0,
    doc: 'Seed of the random numbers: the same one tries the same calls; 1 by default',
    needs: ['explore'],
  },
} as const;

export const initOptions = {
  ...manifestOptions,
  out: { value: 'FILE', doc: 'New file to write; standard output by default', does: ['writes-files'] },
} as const;

export const testCommands: readonly Command[] = [
  defineCommand({
    path: ['test'],
    summary: 'Make the calls of case files, and say which go elsewhere',
    description:
      'Simulates each call against the manifests of -f, without a service, or against the account, which is only read. A case that fails names the step, rule and time that decided. A step that is not simulated makes a case inconclusive unless it says gaps: allowed. Ends with 3 where a case fails or is inconclusive, or the wanted coverage is not reached, with 10 where a file cannot be read. docs/test-calls.md has the grammar.',
    arguments: testArguments,
    options: testOptions,
    effect: 'read',
    account: true,
    markdown: true,
    documents: ['junit', 'tap', 'html'],
    examples: {
      'telctl test -f office.yaml': 'The cases of calls/ against a manifest',
      'telctl test calls/office.yaml': 'Against the account, only reading',
      'telctl test -f office.yaml --min-coverage 80% -o junit': 'In CI',
      'telctl test -f office.yaml -o markdown': 'For the summary of a job',
      'telctl test -f office.yaml --coverage -o html > calls.html':
        'Pictures of the callflows, with what the cases reach',
      'telctl test -f office.yaml --explore 2000 --seed 7': 'Look for calls that nobody takes',
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
    load: async () => (await import('./test.ts')).testCalls,
  }),
  defineCommand({
    path: ['test', 'init'],
    summary: 'Write first cases from how calls go today',
    description:
      'A case for each number, each branch of rules and menus, out of hours, on holidays and with nobody there, from the manifests of -f or from the account, which is only read. The cases pass as they are written; change what should go otherwise. Nothing is overwritten.',
    options: initOptions,
    effect: 'read',
    account: true,
    examples: {
      'telctl test init -f office.yaml --out calls/office.yaml': 'From a manifest',
      'telctl test init': 'From the account, to standard output',
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
