import { lintRules } from '../../callflows/finding.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { manifestOptions } from '../manifest-options.ts';

/** Arguments of `callflows lint`. */
export const lintArguments = {
  callflows: {
    name: 'CALLFLOW',
    doc: 'Only these, by id, name or number; all where left out',
    rest: true,
    optional: true,
    completes: { resource: 'callflows' },
  },
} as const;
export const lintOptions = {
  ...manifestOptions,
  disable: {
    flag: 'disable',
    value: 'RULE',
    repeat: true,
    suggestions: Object.keys(lintRules),
    doc: 'Leave out what this rule finds',
  },
  strict: { flag: 'strict', doc: 'Warnings count as errors' },
} as const;

const listed = Object.entries(lintRules)
  .map(([rule, { level, doc }]) => `  ${rule} (${level}): ${doc}`)
  .join('\n');

/** `callflows lint`. */
export const lintCommand: Command = defineCommand({
  path: ['callflows', 'lint'],
  summary: 'Find what is wrong with callflows',
  description: `Looks at every callflow of the account, or of manifests with -f, and at what it refers to. Ends with 10 where there are errors; warnings alone end with 0, with --strict with 10. Rules:\n\n${listed}`,
  arguments: lintArguments,
  options: lintOptions,
  effect: 'read',
  examples: [
    { line: 'telctl callflows lint', doc: 'The callflows of the account' },
    { line: 'telctl callflows lint -f office.yaml --strict', doc: 'A manifest, before it is applied' },
    { line: 'telctl callflows lint --disable dead-end -o json', doc: 'For a script' },
  ],
  operations: ['callflows.list', 'callflows.get', 'metaflows.get'],
  load: async () => (await import('./lint.ts')).lintCallflows,
});
