import { type Command, defineCommand } from '../../command/command.ts';
import { selectors } from '../../contract/resources/selectors.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-record.ts';
import { bodyOptions } from '../generic/input-options.ts';

const get = defineCommand({
  path: ['selectors', 'rules', 'get'],
  summary: 'Show the rules by which resources are selected',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl selectors rules get -o yaml > rules.yaml', doc: 'To be edited and sent back' }],
  operations: ['selectors.rules'],
  load: async () => (await import('./rules.ts')).getRules,
});

const update: Command = {
  path: ['selectors', 'rules', 'update'],
  summary: 'Replace the rules by which resources are selected',
  arguments: {},
  get options() {
    return bodyOptions(selectors, operationFor(selectors, 'update-rules'));
  },
  effect: 'write',
  examples: [{ line: 'telctl selectors rules update -f rules.yaml', doc: 'By what the file says' }],
  operations: ['selectors.update-rules'],
  load: async () => (await import('./rules.ts')).updateRules,
};

/** Everything under `telctl selectors`. */
export const selectorsCommands: readonly Command[] = [
  ...genericCommands(selectors, ['selectors']),
  get,
  update,
];
