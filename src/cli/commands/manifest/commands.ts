import { type Command, defineCommand } from '../../command/command.ts';
import {
  accountsOption,
  callsOption,
  canaryOption,
  manifestOptions,
  optionsInPlan,
  overwriteOption,
  passwordsOption,
  planOptions,
} from '../manifest-options.ts';
import { annotateOption } from './annotations.ts';

export const viewOptions = {
  unmanaged: { doc: 'Also list objects of the account that no manifest names' },
  drift: { doc: 'Show only changes that others made since the last apply' },
} as const;

export const diffOptions = {
  ...manifestOptions,
  ...planOptions,
  ...accountsOption,
  exitCode: { doc: 'Exit with 3 if there are differences' },
  ...viewOptions,
} as const;

export const savedPlanOptions = {
  ...diffOptions,
  ...annotateOption,
  ...callsOption,
  out: { value: 'FILE', doc: 'Save the plan to a file, for telctl apply FILE', does: ['writes-files'] },
} as const;

export const showArguments = {
  plan: { name: 'PLAN', doc: 'Plan that telctl plan --out saved', completes: 'file' },
} as const;

export const showCommands: readonly Command[] = [
  defineCommand({
    path: ['show'],
    summary: 'Show a saved plan',
    description:
      'Shows a plan that telctl plan --out saved, in any format of plan. Use it to review the plan before telctl apply PLAN. Sends no requests, so it does not show later changes of the account; apply checks for them. An edited or incomplete file is refused.',
    arguments: showArguments,
    effect: 'local',
    attended: false,
    markdown: true,
    examples: {
      'telctl show office.plan': 'Show what an apply of it would do',
      'telctl show office.plan -o markdown': 'For a comment on a pull request',
    },
    load: async () => (await import('./plan/plan.ts')).showSavedPlan,
  }),
];

export const diffCommands: readonly Command[] = [
  defineCommand({
    path: ['diff'],
    summary: 'Show how an account differs from its manifest',
    description:
      'Compares only fields that the manifest names. Ignores values that the service fills in, the order of sets and the notation of numbers. Sends no writes. -v also lists unchanged objects and all fields of new ones.',
    options: diffOptions,
    account: true,
    effect: 'read',
    markdown: true,
    examples: {
      'telctl diff -f office.yaml': 'Show what an apply would change',
      'telctl diff -f base.yaml -f prod/ --exit-code -q': 'In a script: exit with 3 if there are differences',
      'telctl diff -f office.yaml --prune -o json': 'Include deletes, as JSON for programs',
      'telctl diff -f customer.yaml --accounts customers.csv --exit-code':
        'Check whether any of many accounts differs from one manifest',
    },
    load: async () => (await import('./plan/plan.ts')).diffManifest,
  }),
];

export const planCommands: readonly Command[] = [
  defineCommand({
    path: ['plan'],
    summary: 'Show what an apply would do, and save the plan',
    description:
      'Shows the same as diff. --out saves the plan to a file, with the account, the service, the manifest and the state that it is based on. telctl apply FILE carries out exactly this plan. If anything has changed since then, it lists the changes and exits with code 6. The file contains no plaintext secrets.',
    options: savedPlanOptions,
    account: true,
    effect: 'read',
    markdown: true,
    examples: {
      'telctl plan -f office.yaml --out office.plan':
        'Save a plan to review; then run: telctl apply office.plan',
      'telctl plan -f office.yaml -o markdown': 'For a comment on a pull request',
    },
    load: async () => (await import('./plan/plan.ts')).planManifest,
  }),
];

const onErrorOption = {
  onError: {
    value: 'WHAT',
    choices: ['stop', 'continue'],
    doc: 'What to do after a failure: stop, or continue with independent changes (default: stop)',
  },
} as const;

export const applyOptions = {
  ...manifestOptions,
  ...planOptions,
  ...overwriteOption,
  ...onErrorOption,
  ...accountsOption,
  ...canaryOption,
  ...callsOption,
  allowCallChanges: {
    doc: 'Apply even if a call of --calls that passes now would fail afterwards',
    needs: ['calls'],
  },
  wait: { value: 'DURATION', doc: 'Longest wait for another apply on the account (default: 90s)' },
  ...passwordsOption,
  resume: { doc: 'Resume the last run that was interrupted or did not succeed' },
} as const;

export const applyArguments = {
  plan: {
    name: 'PLAN',
    doc: 'Plan that telctl plan --out saved, with its manifests and options',
    excludes: [...optionsInPlan, 'resume'],
    optional: true,
    completes: 'file',
  },
} as const;

export const runArguments = {
  run: { name: 'RUN', doc: 'Number of a run', optional: true },
} as const;

export const undoOptions = {
  ledger: planOptions.ledger,
  force: planOptions.force,
  ...overwriteOption,
  ...onErrorOption,
} as const;

export const undoCommands: readonly Command[] = [
  defineCommand({
    path: ['undo'],
    does: ['sign-in', 'privileges', 'deletes'],
    summary: 'Reverse the last change, if its old values are known',
    description:
      'Reverses the last run that changed the account, or the named run. telctl log lists the runs. Deletes objects that the run created, restores the old values of changed ones, and creates deleted ones again with new ids. Passwords and other secrets are not stored, so they cannot be restored. Changes that others made since are kept. Both are listed. The log records the undo, and you can reverse it by its number.',
    arguments: runArguments,
    options: undoOptions,
    account: true,
    effect: 'destructive',
    examples: {
      'telctl undo': 'Show the changes, and ask before making them',
      'telctl undo 12 --dry-run': 'Show what reversing run 12 would do',
    },
    load: async () => (await import('./apply/undo.ts')).undo,
  }),
];

export const applyCommands: readonly Command[] = [
  defineCommand({
    path: ['apply'],
    does: ['sign-in', 'privileges', 'costs'],
    summary: 'Change an account to match its manifest',
    description:
      'Shows the plan, asks once, and carries it out: referenced objects first, deletes last. Exits with 6 if something changed since a plan was saved. Without a terminal, a saved plan needs no --yes. Ctrl-C waits for requests in progress; --resume continues from there. --yes never accepts charges. telctl apply history lists earlier runs, telctl undo reverses one.',
    arguments: applyArguments,
    options: applyOptions,
    account: true,
    effect: 'charges',
    examples: {
      'telctl apply -f office.yaml': 'Show the plan, and ask before applying it',
      'telctl apply -f office.yaml --yes --accept-charges-up-to 60': 'In a script, with a budget',
      'telctl apply office.plan': 'Apply a saved plan, and nothing else',
      'telctl apply -f office.yaml --generate-passwords passwords.csv':
        'Generate first passwords of new users into a file',
      'telctl apply --resume': 'Continue after an interruption',
      'telctl apply -f customer.yaml --accounts customers.txt --canary 3':
        'Apply one manifest to many accounts: first to three, then to the others',
    },
    load: async () => (await import('./apply/apply.ts')).applyManifest,
  }),
  defineCommand({
    path: ['apply', 'history'],
    summary: 'List the runs of apply and undo, or show one of them',
    description:
      'This machine keeps runs for 90 days. The result of a run is finished, partial (something failed or was skipped), interrupted (Ctrl-C), unfinished (it was killed) or running.',
    arguments: runArguments,
    account: true,
    effect: 'read',
    examples: {
      'telctl apply history': 'List runs and their results',
      'telctl apply history 12': 'Show the changes of one run, with request ids',
    },
    load: async () => (await import('./apply/history.ts')).showHistory,
  }),
];

export const fmtArguments = {
  files: {
    name: 'FILE',
    doc: 'Manifest, folder of manifests, or - to format standard input to standard output',
    rest: true,
    completes: 'file',
  },
} as const;

export const fmtOptions = {
  check: { doc: 'List files that need formatting, and exit with 3 if there are any' },
} as const;

export const fmtCommands: readonly Command[] = [
  defineCommand({
    path: ['fmt'],
    summary: 'Format manifests',
    description:
      'Sorts the sections of each document, indents by two spaces, and separates sections by one empty line. Lists the files that it changed. Keeps comments, text, the order of fields, and the meaning of the manifest. Does not change files with errors (exit code 10). Sends no requests.',
    arguments: fmtArguments,
    options: fmtOptions,
    does: ['writes-files'],
    effect: 'local',
    attended: false,
    examples: {
      'telctl fmt office.yaml': 'One file',
      'telctl fmt --check base/': 'In a pipeline: exit with 3 if a file needs formatting',
    },
    load: async () => (await import('./fmt.ts')).formatManifests,
  }),
];
