import { type Command, defineCommand } from '../../command/command.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { copyCommand } from './copy-command.ts';
import { lintCommand } from './lint-command.ts';
import { traceCommand } from './trace-command.ts';

/** Arguments of `callflows show`. */
export const showArguments = {
  id: { name: 'ID', doc: alternatives(callflows.naturalKeys), completes: { resource: 'callflows' } },
} as const;
export const showOptions = {
  as: {
    flag: 'as',
    value: 'FORM',
    choices: ['tree', 'mermaid', 'dot', 'svg'],
    doc: 'tree (default), a Mermaid diagram, the DOT language of Graphviz, or a picture',
  },
} as const;

const show = defineCommand({
  path: ['callflows', 'show'],
  summary: 'Show what happens to a call, step by step',
  arguments: showArguments,
  options: showOptions,
  effect: 'read',
  examples: [
    { line: 'telctl callflows show +15551230000 --as tree', doc: 'By a number that leads to it' },
    { line: "telctl callflows show 'Main line' --as mermaid", doc: 'A diagram for a wiki' },
    { line: "telctl callflows show 'Main line' --as svg > main-line.svg", doc: 'A picture for a browser' },
  ],
  operations: ['callflows.get', 'users.list', 'menus.list', 'vmboxes.list', 'callflows.list'],
  load: async () => (await import('./show.ts')).showCallflow,
});

/** Everything under `telctl callflows`. */
export const callflowsCommands: readonly Command[] = [
  ...genericCommands(callflows, ['callflows']),
  show,
  lintCommand,
  traceCommand,
  copyCommand,
];
