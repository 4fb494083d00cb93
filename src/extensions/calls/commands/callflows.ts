import { type Command, defineCommand } from '../../../cli/command/command.ts';
import { manifestOptions } from '../../../cli/commands/manifest-options.ts';
import { lintRules } from '../../../engine/callflows/finding.ts';

export const traceArguments = {
  number: { name: 'NUMBER', doc: 'Number or extension, as people dial it' },
} as const;
export const traceOptions = {
  at: {
    value: 'TIME',
    doc: "Time of the call in the account's time zone, such as 2026-12-24T10:00 (evaluates temporal rules)",
  },
  digits: {
    value: 'DIGITS',
    repeat: true,
    doc: 'Digits for the next prompt: a choice, an extension, a PIN or timeout (repeatable, or 2,1)',
  },
  from: {
    value: 'WHO',
    doc: 'Caller: a number, user:NAME or device:NAME (default with --digits: an outside caller)',
  },
  ...manifestOptions,
} as const;

export const lintArguments = {
  callflows: {
    name: 'CALLFLOW',
    doc: 'Callflow by id, name or number (default: all callflows)',
    rest: true,
    optional: true,
    completes: { resource: 'callflows' },
  },
} as const;
export const lintOptions = {
  ...manifestOptions,
  disable: {
    value: 'RULE',
    repeat: true,
    suggestions: Object.keys(lintRules),
    doc: 'Ignore findings of this rule',
  },
  strict: { doc: 'Treat warnings as errors' },
} as const;

const listed = Object.entries(lintRules)
  .map(([rule, { level, doc }]) => `  ${rule} (${level}): ${doc}`)
  .join('\n');

export const callflowCallCommands: readonly Command[] = [
  defineCommand({
    path: ['callflows', 'lint'],
    summary: 'Find problems in callflows',
    description: `Checks every callflow of the account, or of manifests with -f, and the records it refers to. Exits with code 10 if there are errors, and with --strict also if there are warnings. Rules:\n\n${listed}`,
    arguments: lintArguments,
    options: lintOptions,
    documents: ['sarif', 'junit'],
    effect: 'read',
    examples: {
      'telctl callflows lint': 'Check the callflows of the account',
      'telctl callflows lint -f office.yaml --strict': 'Check a manifest before you apply it',
      'telctl callflows lint --disable dead-end -o json': 'Print findings for a script',
    },
    operations: ['callflows.list', 'callflows.get', 'metaflows.get', 'numbers.classifiers'],
    load: async () => (await import('./lint.ts')).lintCallflows,
  }),
  defineCommand({
    path: ['callflows', 'trace'],
    summary: 'Show what happens to calls to a number',
    description:
      'Finds the callflow as the service does: by number, then by pattern, then the callflow with the number no_match. Includes the preflow of the account and other callflows on the way. With --digits or --from, simulates one call that nobody answers, by the rules of telctl test, and lists relevant settings that were skipped. With -f, reads manifests instead of the service.',
    arguments: traceArguments,
    options: traceOptions,
    effect: 'read',
    examples: {
      'telctl callflows trace +15551230000': 'Show every branch',
      'telctl callflows trace 5551230000 --digits 2,1': 'Follow a caller who dials 2, then 1',
      'telctl callflows trace 911 --from user:alice': 'Follow a call from Alice',
      'telctl callflows trace 5551230000 --at 2026-12-24T10:00': 'Follow a call at Christmas',
      'telctl callflows trace 2001 -f office.yaml': 'Check a number in a manifest before you apply it',
    },
    operations: [
      'devices.list',
      'devices.get',
      'numbers.classifiers',
      'registrations.list',
      'callflows.list',
      'callflows.get',
      'menus.list',
      'menus.get',
      'accounts.get',
      'users.get',
      'conferences.get',
      'vmboxes.get',
      'groups.get',
      'directories.get',
      'temporal_rules.get',
      'temporal_rules_sets.get',
    ],
    load: async () => (await import('./trace.ts')).traceNumber,
  }),
];
