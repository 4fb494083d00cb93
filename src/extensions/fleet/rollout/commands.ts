import { type Command, defineCommand } from '../../../cli/command/command.ts';
import {
  accountsOption,
  manifestOptions,
  notifyOption,
  optionsInPlan,
  overwriteOption,
  passwordsOption,
  planOptions,
} from '../../../cli/commands/manifest-options.ts';

const checkOption = {
  check: {
    value: 'COMMAND...',
    repeat: true,
    program: true,
    doc: 'Run a program between waves, and stop if it fails: ./smoke.sh eu, with its options after -- or in quotes',
    does: ['starts-programs'],
  },
} as const;

export const startRolloutOptions = {
  ...manifestOptions,
  ...planOptions,
  ...overwriteOption,
  ...accountsOption,
  below: { doc: 'Roll out to every account below the current one', excludes: ['accounts'] },
  waves: {
    value: 'LIST',
    doc: 'Sizes of the waves as counts or shares, where 100% is the rest (default: 1,5%,25%,100%)',
  },
  pause: { value: 'DURATION', doc: 'Wait between waves' },
  maxFailures: {
    value: 'N|P%',
    doc: 'Stop if more accounts of a wave fail (default: 1%)',
  },
  ...checkOption,
  undoOnFailure: {
    doc: 'Reverse a wave if too many of its accounts or webhooks fail, or its check fails',
    does: ['deletes'],
  },
  window: { value: 'TIME-TIME', doc: 'Start accounts only at these times of day, such as 22:00-05:00' },
  windowZone: { value: 'ZONE', doc: 'Time zone of --window (default: UTC)', needs: ['window'] },
  ...notifyOption,
  ...passwordsOption,
  detach: {
    doc: 'Let telctl rollout worker do the work, in a shared state',
    excludes: ['generate-passwords', 'check', 'undo-on-failure', 'notify-file'],
  },
} as const;

export const startArguments = {
  plan: {
    name: 'PLAN',
    doc: 'Plan of telctl plan --accounts FILE --out, which includes manifests, accounts and options',
    excludes: [...optionsInPlan, 'accounts', 'below'],
    optional: true,
    completes: 'file',
  },
} as const;

export const rolloutArguments = { id: { name: 'ID', doc: 'Number of a rollout' } } as const;

export const showRolloutOptions = {
  follow: { doc: 'Show updates until the rollout ends or Ctrl-C', attended: true },
} as const;

const readingOptions = { var: manifestOptions.var, allowFiles: manifestOptions.allowFiles } as const;

export const resumeOptions = { ...readingOptions, ...checkOption, ...notifyOption } as const;

export const workerOptions = {
  ...readingOptions,
  idle: { value: 'DURATION', doc: 'Exit after this long without work (default: run until Ctrl-C)' },
} as const;

export const undoRolloutOptions = {
  force: planOptions.force,
  ...overwriteOption,
  maxFailures: startRolloutOptions.maxFailures,
} as const;

export const rolloutCommands: readonly Command[] = [
  defineCommand({
    path: ['rollout', 'start'],
    does: ['sign-in', 'privileges', 'costs'],
    summary: 'Apply a manifest to many accounts, in waves',
    description:
      'Plans every account, shows equal changes once, asks once, and applies the plans wave by wave. The rollout stops if more accounts of a wave fail than --max-failures, or if more of their webhooks fail than before. Progress is kept in the state, so rollout resume works from any machine with the same state and files. --check runs a program after each wave except the last, with TELCTL_ROLLOUT and TELCTL_ROLLOUT_WAVE in its environment. If it fails, the rollout stops with exit code 8, and rollout resume needs --check again. --max-deletes limits each account. --max-deletes-total and --accept-charges-up-to limit the whole rollout. A reviewed PLAN is applied unchanged. An account whose plan differs now is skipped and counts as failed.',
    arguments: startArguments,
    options: startRolloutOptions,
    account: true,
    effect: 'charges',
    examples: {
      'telctl rollout start -f base --accounts branches.csv --waves 1,5%,100%':
        'Start with one account, then 5 %, then the rest',
      'telctl rollout start -f base --below --pause 30m --max-failures 2% --yes':
        'Roll out to all sub-accounts, with 30 minutes between waves',
      'telctl rollout start fleet.plan --yes': 'Apply a reviewed plan',
      'telctl rollout start -f base --accounts branches.csv --where region=eu --window 22:00-05:00 --window-zone Europe/Zurich --check "./smoke.sh --quick" --undo-on-failure':
        'Roll out at night, with a test between waves',
    },
    load: async () => (await import('./start.ts')).startRollout,
  }),
  defineCommand({
    path: ['rollout', 'list'],
    summary: 'List rollouts',
    account: false,
    effect: 'local',
    attended: false,
    examples: { 'telctl rollout list': 'List rollouts, newest first' },
    load: async () => (await import('./report.ts')).listRollouts,
  }),
  defineCommand({
    path: ['rollout', 'show'],
    summary: 'Show the progress and failures of a rollout',
    description:
      '-o json prints one document with all accounts. -o ndjson prints one document per account and a summary at the end.',
    arguments: rolloutArguments,
    options: showRolloutOptions,
    account: false,
    effect: 'local',
    attended: false,
    markdown: true,
    examples: {
      'telctl rollout show 17': 'Show counts and failures with reasons',
      'telctl rollout show 17 --follow': 'Show updates until it ends',
    },
    load: async () => (await import('./report.ts')).showRollout,
  }),
  defineCommand({
    path: ['rollout', 'resume'],
    does: ['reads-files', 'sign-in', 'privileges', 'costs'],
    summary: 'Resume a stopped rollout',
    description:
      'Skips finished accounts and retries failed ones. The manifest must be unchanged. Works from any machine with the same state.',
    arguments: rolloutArguments,
    options: resumeOptions,
    account: false,
    effect: 'charges',
    examples: { 'telctl rollout resume 17': 'Continue rollout 17' },
    load: async () => (await import('./resume-or-undo.ts')).resumeRollout,
  }),
  defineCommand({
    path: ['rollout', 'worker'],
    attended: true,
    does: ['reads-files', 'sign-in', 'privileges', 'costs'],
    summary: 'Work on rollouts of a shared state',
    description:
      'With --state postgres://…, any number of workers share the accounts of all running rollouts and the rate limit of the service. Each worker reads the manifest in its own working folder and signs in separately. It skips rollouts whose files are missing or different. --concurrency limits accounts and requests at once. If a worker dies, others take over its accounts within 30 seconds.',
    options: workerOptions,
    account: false,
    effect: 'read',
    worst: 'charges',
    examples: {
      'telctl rollout worker --state postgres://telctl@db.example/telctl': 'Work until Ctrl-C',
      'telctl rollout worker --idle 5m --concurrency 16': 'Work in CI',
    },
    load: async () => (await import('./share-work.ts')).workOnRollouts,
  }),
  defineCommand({
    path: ['rollout', 'cancel'],
    summary: 'Stop a rollout before its next account',
    description:
      'Running accounts are finished on every machine. Other accounts stay unchanged. To continue, use rollout resume. To reverse the changes, use rollout undo.',
    arguments: rolloutArguments,
    account: false,
    effect: 'local',
    attended: false,
    examples: { 'telctl rollout cancel 17': 'Stop rollout 17' },
    load: async () => (await import('./resume-or-undo.ts')).cancelRollout,
  }),
  defineCommand({
    path: ['rollout', 'undo'],
    does: ['sign-in', 'privileges', 'deletes'],
    summary: 'Reverse the changes of a rollout',
    description:
      'Reverses the runs of the rollout in each account, as telctl undo does, if their old values are known. The undo is a new rollout with one wave.',
    arguments: rolloutArguments,
    options: undoRolloutOptions,
    account: false,
    effect: 'destructive',
    examples: { 'telctl rollout undo 17': 'Ask, then reverse rollout 17' },
    load: async () => (await import('./resume-or-undo.ts')).undoRollout,
  }),
];
