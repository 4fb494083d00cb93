import { type Command, defineCommand } from '../../../cli/command/command.ts';
import {
  accountsOption,
  keptInPlan,
  manifestOptions,
  notifyOption,
  overwriteOption,
  passwordsOption,
  planOptions,
} from '../../../cli/commands/manifest-options.ts';

const checkOption = {
  check: {
    value: 'COMMAND...',
    repeat: true,
    program: true,
    doc: 'Run a program between waves, without a shell: ./smoke.sh eu, its options after --, or all of it in quotes. Where it fails, nothing more is begun',
    does: ['starts-programs'],
  },
} as const;

export const startOptions = {
  ...manifestOptions,
  ...planOptions,
  ...overwriteOption,
  ...accountsOption,
  below: { doc: 'Every account below the account acted on', excludes: ['accounts'] },
  waves: {
    value: 'LIST',
    doc: 'Sizes of the waves: counts, or shares of all accounts; 100% is the rest. 1,5%,25%,100% by default',
  },
  pause: { value: 'DURATION', doc: 'Wait after each wave, before the next begins' },
  maxFailures: {
    value: 'N|P%',
    doc: 'Stop the rollout once more accounts of a wave failed than this; 1% by default',
  },
  ...checkOption,
  undoOnFailure: {
    doc: 'Reverse what a wave did where too many of its accounts fail, more of its webhooks, or its check',
    does: ['deletes'],
  },
  window: { value: 'TIME-TIME', doc: 'Begin accounts in this part of the day alone, such as 22:00-05:00' },
  windowZone: { value: 'ZONE', doc: 'Time zone of --window; UTC by default', needs: ['window'] },
  ...notifyOption,
  ...passwordsOption,
  detach: {
    doc: 'Leave the work to telctl rollout worker, in a state that they share',
    excludes: ['generate-passwords', 'check', 'undo-on-failure', 'notify-file'],
  },
} as const;

export const startArguments = {
  plan: {
    name: 'PLAN',
    doc: 'Plan that telctl plan --accounts FILE --out saved, with the manifests, the accounts and the options that it was made with',
    excludes: [...keptInPlan, 'accounts', 'below'],
    optional: true,
    completes: 'file',
  },
} as const;

/** The operand of the verbs that are about one rollout. */
export const rolloutArguments = { id: { name: 'ID', doc: 'Number of a rollout' } } as const;

export const showOptions = {
  follow: { doc: 'Go on until the rollout ends or Ctrl-C', attended: true },
} as const;

const readingOptions = { var: manifestOptions.var, allowFiles: manifestOptions.allowFiles } as const;

export const resumeOptions = { ...readingOptions, ...checkOption, ...notifyOption } as const;

export const workerOptions = {
  ...readingOptions,
  idle: { value: 'DURATION', doc: 'End after this long without work; otherwise Ctrl-C ends it' },
} as const;

export const undoRolloutOptions = {
  force: planOptions.force,
  ...overwriteOption,
  maxFailures: startOptions.maxFailures,
} as const;

export const rolloutCommands: readonly Command[] = [
  defineCommand({
    path: ['rollout', 'start'],
    does: ['sign-in', 'privileges', 'costs'],
    summary: 'Make many accounts as one manifest says, in waves',
    description:
      'Plans every account, shows equal changes as one, asks once, and carries the plans out wave by wave. A wave follows only where no more accounts of the one before failed than --max-failures, and no more webhooks fail in them than before. What is done is kept in the state: rollout resume goes on from any machine that has the same state and the same files. A program given with --check is run after each wave but the last, by this process, with TELCTL_ROLLOUT and TELCTL_ROLLOUT_WAVE in its environment: where it fails, the rollout stops with exit 8, and rollout resume needs --check again. --max-deletes counts for each account, --max-deletes-total and --accept-charges-up-to for all of them. A PLAN that somebody reviewed is carried out as it is: an account whose plan is another one by now is left as it is, and counts as failed.',
    arguments: startArguments,
    options: startOptions,
    account: true,
    effect: 'charges',
    examples: {
      'telctl rollout start -f base --accounts branches.csv --waves 1,5%,100%':
        'One account first, then 5 %, then the rest',
      'telctl rollout start -f base --below --pause 30m --max-failures 2% --yes':
        'Every account below, with half an hour between waves',
      'telctl rollout start fleet.plan --yes': 'What was planned, and nothing else',
      'telctl rollout start -f base --accounts branches.csv --where region=eu --window 22:00-05:00 --window-zone Europe/Zurich --check "./smoke.sh --quick" --undo-on-failure':
        'By night, with a test between waves',
    },
    load: async () => (await import('./start.ts')).startRollout,
  }),
  defineCommand({
    path: ['rollout', 'list'],
    summary: 'List rollouts',
    account: false,
    effect: 'local',
    attended: false,
    examples: { 'telctl rollout list': 'The newest first' },
    load: async () => (await import('./report.ts')).listRollouts,
  }),
  defineCommand({
    path: ['rollout', 'show'],
    summary: 'Show how far a rollout is, and what failed',
    description:
      'With -o json one document with all accounts, with -o ndjson one document an account and a summary at the end.',
    arguments: rolloutArguments,
    options: showOptions,
    account: false,
    effect: 'local',
    attended: false,
    markdown: true,
    examples: {
      'telctl rollout show 17': 'Counts, and what failed and why',
      'telctl rollout show 17 --follow': 'Again and again, until it ends',
    },
    load: async () => (await import('./report.ts')).showRollout,
  }),
  defineCommand({
    path: ['rollout', 'resume'],
    does: ['reads-files', 'sign-in', 'privileges', 'costs'],
    summary: 'Go on with a rollout that stopped',
    description:
      'Accounts that are done are left as they are; what failed is tried again. The manifest has to be the one that the rollout was begun with. Works from any machine with the same state.',
    arguments: rolloutArguments,
    options: resumeOptions,
    account: false,
    effect: 'charges',
    examples: { 'telctl rollout resume 17': 'Take it up where it stopped' },
    load: async () => (await import('./resume-or-undo.ts')).resumeRollout,
  }),
  defineCommand({
    path: ['rollout', 'worker'],
    attended: true,
    does: ['reads-files', 'sign-in', 'privileges', 'costs'],
    summary: 'Work on the rollouts of a state that machines share',
    description:
      'With --state postgres://… any number of workers share the accounts of all rollouts that run, and the rate limit of the service. Each reads the manifest in its own working folder, and signs in for itself; a rollout whose files are not there, or differ, is left to others. --concurrency is the number of accounts, and of requests, at once. A worker that dies is replaced: its accounts go to others within half a minute.',
    options: workerOptions,
    account: false,
    effect: 'read',
    worst: 'charges',
    examples: {
      'telctl rollout worker --state postgres://telctl@db.example/telctl': 'Until Ctrl-C',
      'telctl rollout worker --idle 5m --concurrency 16': 'On a machine of continuous integration',
    },
    load: async () => (await import('./share-work.ts')).workOnRollouts,
  }),
  defineCommand({
    path: ['rollout', 'cancel'],
    summary: 'Stop a rollout: no further account is begun',
    description:
      'Accounts that are being worked on are finished, wherever that is; the others stay as they are. rollout resume takes it up again, rollout undo reverses what was done.',
    arguments: rolloutArguments,
    account: false,
    effect: 'local',
    attended: false,
    examples: { 'telctl rollout cancel 17': 'Stop it' },
    load: async () => (await import('./resume-or-undo.ts')).cancelRollout,
  }),
  defineCommand({
    path: ['rollout', 'undo'],
    does: ['sign-in', 'privileges', 'deletes'],
    summary: 'Reverse a rollout, as far as old values are known',
    description:
      'Reverses the runs of the rollout in each account, as telctl undo does, all accounts in one wave. The undo is a rollout of its own.',
    arguments: rolloutArguments,
    options: undoRolloutOptions,
    account: false,
    effect: 'destructive',
    examples: { 'telctl rollout undo 17': 'Asks, and takes back what was done' },
    load: async () => (await import('./resume-or-undo.ts')).undoRollout,
  }),
];
