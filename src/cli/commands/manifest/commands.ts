import { type Command, defineCommand } from '../../command/command.ts';
import {
  accountsOption,
  callsOption,
  canaryOption,
  keptInPlan,
  manifestOptions,
  overwriteOption,
  passwordsOption,
  planOptions,
} from '../manifest-options.ts';
import { annotateOption } from './annotated.ts';

export const lookingOptions = {
  unmanaged: { doc: 'List what is in the account and in no manifest, too' },
  drift: { doc: 'Show only what others changed since the last apply' },
} as const;

export const diffOptions = {
  ...manifestOptions,
  ...planOptions,
  ...accountsOption,
  exitCode: { doc: 'End with 3 where there are differences' },
  ...lookingOptions,
} as const;

export const savedPlanOptions = {
  ...diffOptions,
  ...annotateOption,
  ...callsOption,
  out: { value: 'FILE', doc: 'Keep the plan in a file, for telctl apply FILE', does: ['writes-files'] },
} as const;

export const showArguments = {
  plan: { name: 'PLAN', doc: 'Plan that telctl plan --out saved', completes: 'file' },
} as const;

export const showCommands: readonly Command[] = [
  defineCommand({
    path: ['show'],
    summary: 'Show a plan that was kept in a file',
    description:
      'Shows what telctl plan --out kept, in every format of plan: for a review before telctl apply PLAN. No service is asked, so that what changed since is not seen; apply looks again. A file that was edited or cut is refused.',
    arguments: showArguments,
    effect: 'local',
    attended: false,
    markdown: true,
    examples: {
      'telctl show office.plan': 'What an apply of it would do',
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
      'Only fields that the manifest names are compared. Values that the service fills in by itself, the order of sets and ways to write a number are no differences. Sends no writes. -v lists unchanged objects and all fields of new ones, too.',
    options: diffOptions,
    account: true,
    effect: 'read',
    markdown: true,
    examples: {
      'telctl diff -f office.yaml': 'What an apply would change',
      'telctl diff -f base.yaml -f prod/ --exit-code -q': 'In a script: 3 where there are differences',
      'telctl diff -f office.yaml --prune -o json': 'With what would be deleted, for programs',
      'telctl diff -f customer.yaml --accounts customers.csv --exit-code':
        'Whether any of many accounts differs from the one manifest',
    },
    load: async () => (await import('./plan/plan.ts')).diffManifest,
  }),
];

export const planCommands: readonly Command[] = [
  defineCommand({
    path: ['plan'],
    summary: 'Work out what an apply would do, and keep it',
    description:
      'Shows the same as diff. With --out the plan is kept in a file, bound to the account, the service, the manifest and what was seen: telctl apply FILE does just that, or refuses with exit 6 and says what moved. The file holds no secret in clear.',
    options: savedPlanOptions,
    account: true,
    effect: 'read',
    markdown: true,
    examples: {
      'telctl plan -f office.yaml --out office.plan': 'Look first; then: telctl apply office.plan',
      'telctl plan -f office.yaml -o markdown': 'For a comment on a pull request',
    },
    load: async () => (await import('./plan/plan.ts')).planManifest,
  }),
];

const onErrorOption = {
  onError: {
    value: 'WHAT',
    choices: ['stop', 'continue'],
    doc: 'After a failure start nothing more (stop, the default), or go on with what does not depend on it (continue)',
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
    doc: 'Go on where a call of --calls that is as expected now will not be any more',
    needs: ['calls'],
  },
  wait: { value: 'DURATION', doc: 'Longest wait for another apply on the account, 90s by default' },
  ...passwordsOption,
  resume: { doc: 'Resume the last run that was interrupted or did not succeed' },
} as const;

export const applyArguments = {
  plan: {
    name: 'PLAN',
    doc: 'Plan that telctl plan --out saved, with the manifests and the options that it was made with',
    excludes: [...keptInPlan, 'resume'],
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
    summary: 'Reverse the last change, as far as old values are known',
    description:
      'Reverses the last command that changed something on the account, or the run that is named: telctl log lists them. Deletes what the run created, gives back old values to what it changed, and creates again what it deleted, under new ids. Passwords and other secrets are kept nowhere, so they stay as they are, and so does what others changed since; both are listed. The undo stands in the log, and can be reversed by its number.',
    arguments: runArguments,
    options: undoOptions,
    account: true,
    effect: 'destructive',
    examples: {
      'telctl undo': 'Shows what would be done, and asks',
      'telctl undo 12 --dry-run': 'See what reversing that run would do',
    },
    load: async () => (await import('./apply/undo.ts')).undo,
  }),
];

export const applyCommands: readonly Command[] = [
  defineCommand({
    path: ['apply'],
    does: ['sign-in', 'privileges', 'costs'],
    summary: 'Make an account as its manifest says',
    description:
      'Shows what would be done, asks once, and does it: what others refer to comes first, deletes come last. A saved plan is refused with exit 6 when something changed since; where nobody can be asked, it is the answer itself, as --yes is. Ctrl-C lets calls that are under way end; --resume goes on from there. Charges are never accepted by --yes. telctl apply history lists earlier runs, telctl undo reverses one.',
    arguments: applyArguments,
    options: applyOptions,
    account: true,
    effect: 'charges',
    examples: {
      'telctl apply -f office.yaml': 'Shows the plan and asks',
      'telctl apply -f office.yaml --yes --accept-charges-up-to 60': 'In a script, with a budget',
      'telctl apply office.plan': 'What was planned, and nothing else',
      'telctl apply -f office.yaml --generate-passwords passwords.csv':
        'First passwords of new users, in a file of their own',
      'telctl apply --resume': 'Go on after an interruption',
      'telctl apply -f customer.yaml --accounts customers.txt --canary 3':
        'One manifest for many accounts: three first, then the others',
    },
    load: async () => (await import('./apply/apply.ts')).applyManifest,
  }),
  defineCommand({
    path: ['apply', 'history'],
    summary: 'List the runs of apply and undo, or show what one did',
    description:
      'Runs of the last 90 days are kept on this machine. A run is finished; partial, where something failed or was left; interrupted by Ctrl-C; unfinished, where it was killed; or running.',
    arguments: runArguments,
    account: true,
    effect: 'read',
    examples: {
      'telctl apply history': 'Which runs there were, and how they ended',
      'telctl apply history 12': 'What one of them did, with request ids',
    },
    load: async () => (await import('./apply/history.ts')).showHistory,
  }),
];

export const fmtArguments = {
  files: {
    name: 'FILE',
    doc: 'Manifest, folder of manifests, or - for standard input, which goes to standard output',
    rest: true,
    completes: 'file',
  },
} as const;

export const fmtOptions = {
  check: { doc: 'Only list files with another layout; exit 3 where there are some' },
} as const;

export const fmtCommands: readonly Command[] = [
  defineCommand({
    path: ['fmt'],
    summary: 'Format manifests',
    description:
      'Puts the sections of each document into one order, two blanks a level and one empty line between sections, and names the files that it changed. Comments, texts and the order inside of objects stay, and so does what the manifest means. A file with mistakes is left as it is (exit 10). No service is asked.',
    arguments: fmtArguments,
    options: fmtOptions,
    does: ['writes-files'],
    effect: 'local',
    attended: false,
    examples: {
      'telctl fmt office.yaml': 'One file',
      'telctl fmt --check base/': 'In a pipeline: 3 where a file has another layout',
    },
    load: async () => (await import('./fmt.ts')).formatManifests,
  }),
];
