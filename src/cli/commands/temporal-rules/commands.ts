import { temporal_rules } from '../../../contract/resources/temporal-rules.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { alternatives, genericCommands, switchCommands } from '../generic/commands.ts';

export const checkArguments = {
  rule: {
    name: 'RULE',
    doc: alternatives(temporal_rules.naturalKeys),
    completes: { resource: 'temporal_rules' },
  },
} as const;
export const checkOptions = {
  at: {
    flag: 'at',
    value: 'TIME',
    doc: 'Time of the call, such as 2026-12-24T10:00, by the clocks of the zone; now by default',
  },
  timezone: {
    flag: 'timezone',
    value: 'ZONE',
    doc: 'Time zone, as a step of a callflow may name one; that of the account by default',
  },
} as const;

const check = defineCommand({
  path: ['temporal-rules', 'check'],
  summary: 'Say whether a rule matches at a time, why, and when that changes',
  arguments: checkArguments,
  options: checkOptions,
  effect: 'read',
  examples: [
    { line: "telctl temporal-rules check 'Office hours'", doc: 'Now' },
    {
      line: "telctl temporal-rules check 'Office hours' --at 2026-12-24T10:00 --timezone Europe/Zurich",
      doc: 'At another time, by the clocks of a place',
    },
  ],
  operations: ['temporal_rules.get', 'accounts.get'],
  load: async () => (await import('./check.ts')).checkRule,
});

export const temporalRulesCommands: readonly Command[] = [
  ...genericCommands(temporal_rules, ['temporal-rules']),
  check,
  ...switchCommands(temporal_rules, "'Office hours'", {
    enable: 'Make a rule match at any time, until it is reset',
    disable: 'Keep a rule from matching, until it is reset',
    reset: 'Let a rule match by its times again',
  }),
];
