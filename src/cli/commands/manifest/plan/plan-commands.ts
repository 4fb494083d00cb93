import { type Command, defineCommand } from '../../../command/command.ts';
import { annotateOption } from '../../annotated.ts';
import { accountsOption, callsOption, manifestOptions, planOptions } from '../../manifest-options.ts';

const exitCode = {
  exitCode: { doc: 'End with 3 where there are differences' },
} as const;

export const lookingOptions = {
  unmanaged: { doc: 'List what is in the account and in no manifest, too' },
  drift: { doc: 'Show only what others changed since the last apply' },
} as const;

export const diffOptions = {
  ...manifestOptions,
  ...planOptions,
  ...accountsOption,
  ...exitCode,
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
    load: async () => (await import('./show.ts')).showSavedPlan,
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
    load: async () => (await import('./plan.ts')).diffManifest,
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
    load: async () => (await import('./plan.ts')).planManifest,
  }),
];
