import { transactions } from '../../../contract/resources/transactions.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { bookingCommand } from '../ledgers/booking.ts';

export const transactionsCommands: readonly Command[] = [
  ...genericCommands(transactions, ['transactions']),
  bookingCommand(transactions, 'sale', {
    summary: 'Take a payment from an account, as its reseller; asks first',
    examples: [{ line: 'telctl transactions sale --amount 25 --description Top-up', doc: 'In its currency' }],
    asks: 'Take a payment of # from',
    says: 'Took # from',
  }),
  bookingCommand(transactions, 'refund', {
    summary: 'Give money back to an account, as its reseller; asks first',
    examples: [
      { line: 'telctl transactions refund --amount 25 --description Top-up', doc: 'In its currency' },
    ],
    asks: 'Give back # to',
    says: 'Gave back # to',
  }),
];
