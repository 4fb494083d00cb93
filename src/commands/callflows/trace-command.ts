import { type Command, defineCommand } from '../../cli/command.ts';
import { manifestOptions } from '../manifest/options.ts';

/** What `callflows trace` takes. */
export const traceArguments = {
  number: { name: 'NUMBER', doc: 'Number or extension that is called, as people dial it' },
} as const;
export const traceOptions = {
  digits: {
    flag: 'digits',
    value: 'DIGITS',
    repeat: true,
    doc: 'What the caller dials at the next menu: 2, an extension, or timeout; several for several menus, or 2,1',
  },
  ...manifestOptions,
} as const;

/** `callflows trace`. */
export const traceCommand: Command = defineCommand({
  path: ['callflows', 'trace'],
  summary: 'Show what happens when a number is called',
  description:
    'Finds the callflow as the service does: by number, then by pattern, then the callflow with the number no_match. Other callflows are followed in place. With -f in manifests, without the service.',
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
  operations: ['callflows.list', 'callflows.get', 'menus.list', 'menus.get'],
  load: async () => (await import('./trace.ts')).traceNumber,
});
