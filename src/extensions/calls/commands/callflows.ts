import { type Command, defineCommand } from '../../../cli/command/command.ts';
import { manifestOptions } from '../../../cli/commands/manifest-options.ts';
import { lintRules } from '../../../engine/callflows/finding.ts';

export const traceArguments = {
  number: { name: 'NUMBER', doc: 'Number or extension that is called, as people dial it' },
} as const;
export const traceOptions = {
  at: {
    value: 'TIME',
    doc: 'Time of the call, such as 2026-12-24T10:00 by the clocks of the account: temporal rules are tested',
  },
  digits: {
    value: 'DIGITS',
    repeat: true,
    doc: 'What the caller dials when asked next: a choice, an extension, a PIN, or timeout; several, or 2,1',
  },
  from: {
    value: 'WHO',
    doc: 'Who calls: a number, user:NAME or device:NAME (default with --digits: somebody outside)',
  },
  ...manifestOptions,
} as const;

export const lintArguments = {
  callflows: {
    name: 'CALLFLOW',
    doc: 'Only these, by id, name or number; all by default',
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
    doc: 'Leave out what this rule finds',
  },
  strict: { doc: 'Warnings count as errors' },
} as const;

const listed = Object.entries(lintRules)
  .map(([rule, { level, doc }]) => `  ${rule} (${level}): ${doc}`)
  .join('\n');

/** Commands that are added to the noun `callflows`. */
export const callflowsCommands: readonly Command[] = [
  defineCommand({
    path: ['callflows', 'lint'],
    summary: 'Find what is wrong with callflows',
    description: `Looks at every callflow of the account, or of manifests with -f, and at what it refers to. Ends with 10 where there are errors; warnings alone end with 0, with --strict with 10. Rules:\n\n${listed}`,
    arguments: lintArguments,
    options: lintOptions,
    documents: ['sarif', 'junit'],
    effect: 'read',
    examples: {
      'telctl callflows lint': 'The callflows of the account',
      'telctl callflows lint -f office.yaml --strict': 'A manifest, before it is applied',
      'telctl callflows lint --disable dead-end -o json': 'For a script',
    },
    operations: ['callflows.list', 'callflows.get', 'metaflows.get', 'numbers.classifiers'],
    load: async () => (await import('./lint.ts')).lintCallflows,
  }),
  defineCommand({
    path: ['callflows', 'trace'],
    summary: 'Show what happens when a number is called',
    description:
      'Finds the callflow as the service does: by number, then by pattern, then the callflow with the number no_match. The preflow of the account is passed first, and other callflows are followed in place. With --digits or --from one call is made, by the same rules as telctl test, in which nobody answers; settings that have a say in it and are passed over are named at the end. With -f in manifests, without the service.',
    arguments: traceArguments,
    options: traceOptions,
    effect: 'read',
    examples: {
      'telctl callflows trace +15551230000': 'All that can happen',
      'telctl callflows trace 5551230000 --digits 2,1': 'Where a caller comes who dials 2, then 1',
      'telctl callflows trace 911 --from user:alice': 'What a call of Alice comes to',
      'telctl callflows trace 5551230000 --at 2026-12-24T10:00': 'What a caller hears at Christmas',
      'telctl callflows trace 2001 -f office.yaml': 'In a manifest, before it is applied',
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
