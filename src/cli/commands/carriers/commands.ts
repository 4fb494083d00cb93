import { isObject, type Json } from '../../../base/json.ts';
import { carrier_jobs, carriers } from '../../../contract/resources/carriers.ts';
import { rates } from '../../../contract/resources/rates.ts';
import { selectors } from '../../../contract/resources/selectors.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

export const carriersCommands: readonly Command[] = [
  ...genericCommands(carriers, ['carriers']),
  ...genericCommands(carrier_jobs, ['carriers', 'jobs']),
];

export const ratesCommands: readonly Command[] = [
  ...genericCommands(rates, ['rates']),
  callCommand({
    path: ['rates', 'number'],
    operation: operationFor(rates, 'of-number'),
    arguments: { number: { name: 'NUMBER', doc: 'Number that is called, with + and country' } },
    options: {
      ratedeck_id: {
        flag: 'ratedeck-id',
        value: 'TEXT',
        doc: 'Deck to look in',
        into: { query: 'ratedeck_id' },
      },
      everywhere: { doc: 'Without an account', into: 'nowhere' },
    },
    given: [{ when: { everywhere: true }, operation: operationFor(rates, 'of-number-everywhere') }],
    examples: { 'telctl rates number +442071838750': 'A minute, and the shortest call' },
  }),
  callCommand({
    path: ['rates', 'decks'],
    operation: operationFor(rates, 'ratedecks'),
    examples: { 'telctl rates decks': 'For telctl rates list --ratedeck-id' },
  }),
];

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
