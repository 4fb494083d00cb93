import { carrier_jobs } from '../../../contract/resources/carrier-jobs.ts';
import { carriers } from '../../../contract/resources/carriers.ts';
import { rates } from '../../../contract/resources/rates.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { readingCommand } from '../generic/reading.ts';

export const carriersCommands: readonly Command[] = [
  ...genericCommands(carriers, ['carriers']),
  ...genericCommands(carrier_jobs, ['carriers', 'jobs']),
];

export const ratesCommands: readonly Command[] = [
  ...genericCommands(rates, ['rates']),
  readingCommand(rates, {
    path: ['rates', 'number'],
    verb: 'of-number',
    arguments: { phone_number: { name: 'NUMBER', doc: 'Number that is called, with + and country' } },
    instead: { given: 'everywhere', verb: 'of-number-everywhere', doc: 'Without an account' },
    examples: { 'telctl rates number +442071838750': 'A minute, and the shortest call' },
  }),
  readingCommand(rates, {
    path: ['rates', 'decks'],
    verb: 'ratedecks',
    examples: { 'telctl rates decks': 'For telctl rates list --ratedeck-id' },
  }),
];
