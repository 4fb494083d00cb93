import { type Command, defineCommand } from '../../command/command.ts';
import { manifestOptions } from '../manifest-options.ts';

/** Arguments of `callflows trace`. */
export const traceArguments = {
  number: { name: 'NUMBER', doc: 'Number or extension that is called, as people dial it' },
} as const;
export const traceOptions = {
  digits: {
    flag: 'digits',
    value: 'DIGITS',
    repeat: true,
    doc: 'What the caller dials when asked next: a choice, an extension, a PIN, or timeout; several, or 2,1',
  },
  ...manifestOptions,
} as const;

/** `callflows trace`. */
export const traceCommand: Command = defineCommand({
  path: ['callflows', 'trace'],
  summary: 'Show what happens when a number is called',
  description:
    'Finds the callflow as the service does: by number, then by pattern, then the callflow with the number no_match. The preflow of the account is passed first, other callflows are followed in place, and stored settings that have a say in the call and are not heeded are named at the end. With -f in manifests, without the service.',
  arguments: traceArguments,
  options: traceOptions,
  effect: 'read',
  examples: [
    { line: 'telctl callflows trace +15551230000', doc: 'All that can happen' },
    {
      line: 'telctl callflows trace 5551230000 --digits 2,1',
      doc: 'Where a caller comes who dials 2, then 1',
    },
    { line: 'telctl callflows trace 2001 -f office.yaml', doc: 'In a manifest, before it is applied' },
  ],
  operations: [
    ...['callflows.list', 'callflows.get', 'menus.list', 'menus.get', 'accounts.get', 'users.get'],
    ...['conferences.get', 'vmboxes.get', 'groups.get', 'directories.get'],
  ],
  load: async () => (await import('./trace.ts')).traceNumber,
});
