import { allotments } from '../../../contract/resources/allotments.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { readingCommand, rowsBy } from '../generic/reading.ts';

export const allotmentsCommands: readonly Command[] = [
  ...genericCommands(allotments, ['allotments']),
  readingCommand(allotments, {
    verb: 'consumed',
    examples: { 'telctl allotments consumed': 'In the cycles that run now' },
    table: {
      noun: 'buckets',
      rows: rowsBy('bucket'),
      columns: [
        { header: 'BUCKET', paths: ['bucket'] },
        { header: 'CYCLE', paths: ['cycle'] },
        { header: 'SECONDS', paths: ['consumed'] },
        { header: 'FROM', paths: ['consumed_from'], show: 'time' },
        { header: 'TO', paths: ['consumed_to'], show: 'time' },
      ],
    },
  }),
];
