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
    arguments: { number: { name: 'NUMBER', doc: 'Number to call, with + and country code' } },
    options: {
      ratedeck_id: {
        flag: 'ratedeck-id',
        value: 'TEXT',
        doc: 'Rate deck to search',
        into: { query: 'ratedeck_id' },
      },
      everywhere: { doc: 'Search the rates of the whole service', into: 'nowhere' },
    },
    given: [{ when: { everywhere: true }, operation: operationFor(rates, 'of-number-everywhere') }],
    examples: {
      'telctl rates number +442071838750': 'Show the price per minute and the minimum billed duration',
    },
  }),
  callCommand({
    path: ['rates', 'decks'],
    operation: operationFor(rates, 'ratedecks'),
    examples: { 'telctl rates decks': 'Show ids for telctl rates list --ratedeck-id' },
  }),
];

const isRule = (data: Json): boolean => isObject(data) && typeof data.selector === 'string';

export const selectorsCommands: readonly Command[] = [
  ...genericCommands(selectors, ['selectors']),
  callCommand({
    path: ['selectors', 'rules', 'get'],
    summary: 'Show the rules that select resources',
    operation: operationFor(selectors, 'rules'),
    examples: { 'telctl selectors rules get -o yaml > rules.yaml': 'Save the rules to edit them' },
    gives: {
      // Compatible services respond with 404 until rules are set for the first time.
      missing: { rules: [] },
      // The specification returns the record of one rule. Compatible services return an object of all rules.
      result: (value) => ({ kind: 'item', value, ...(isRule(value) ? { resource: 'selectors' } : {}) }),
    },
  }),
  callCommand({
    path: ['selectors', 'rules', 'update'],
    summary: 'Replace the rules that select resources',
    operation: operationFor(selectors, 'update-rules'),
    body: selectors,
    whole: true,
    stored: operationFor(selectors, 'rules'),
    // Accepts the output of `selectors rules get`.
    async data({ data }) {
      const { id: _, ...rules } = isObject(data) ? data : {};
      return rules;
    },
    examples: { 'telctl selectors rules update -f rules.yaml': 'Replace them with the content of the file' },
    says: 'Replaced the rules.',
  }),
];
