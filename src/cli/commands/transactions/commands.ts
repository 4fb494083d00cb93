import { transactions } from '../../../contract/resources/transactions.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';
import { bodyOptions } from '../generic/input-options.ts';

const payments = (['sale', 'refund'] as const).map(
  (verb): Command => ({
    path: ['transactions', verb],
    summary: `${verb === 'sale' ? 'Take a payment from' : 'Give money back to'} an account, as its reseller; asks first`,
    arguments: {},
    get options() {
      return bodyOptions(transactions, operationFor(transactions, verb));
    },
    effect: 'destructive',
    examples: [
      { line: `telctl transactions ${verb} --amount 25 --description Top-up`, doc: 'In its currency' },
    ],
    operations: [`transactions.${verb}`],
    load: async () => (await import('../ledgers/ledgers.ts')).book(transactions, verb),
  }),
);

export const transactionsCommands: readonly Command[] = [
  ...genericCommands(transactions, ['transactions']),
  ...payments,
];
