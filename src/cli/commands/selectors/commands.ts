import { isObject, type Json } from '../../../base/json.ts';
import { selectors } from '../../../contract/resources/selectors.ts';
import type { Command } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';

const isRule = (data: Json): boolean => isObject(data) && typeof data.selector === 'string';

export const selectorsCommands: readonly Command[] = [
  ...genericCommands(selectors, ['selectors']),
  callCommand({
    path: ['selectors', 'rules', 'get'],
    summary: 'Show the rules by which resources are selected',
    operation: operationFor(selectors, 'rules'),
    examples: { 'telctl selectors rules get -o yaml > rules.yaml': 'To be edited and sent back' },
    gives: {
      // Compatible services answer 404 while none were ever set.
      missing: { rules: [] },
      // One rule's record by the specification, an object with all of them in compatible services.
      result: (value) => ({ kind: 'item', value, ...(isRule(value) ? { resource: 'selectors' } : {}) }),
    },
  }),
  callCommand({
    path: ['selectors', 'rules', 'update'],
    summary: 'Replace the rules by which resources are selected',
    operation: operationFor(selectors, 'update-rules'),
    body: selectors,
    whole: true,
    stored: operationFor(selectors, 'rules'),
    // What `selectors rules get` shows may be edited and sent back.
    async data({ data }) {
      const { id: _, ...rules } = isObject(data) ? data : {};
      return rules;
    },
    examples: { 'telctl selectors rules update -f rules.yaml': 'By what the file says' },
    says: 'Replaced the rules.',
  }),
];
