import { isObject } from '../../../base/json.ts';
import { acls } from '../../../contract/resources/acls.ts';
import { security } from '../../../contract/resources/security.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { readingCommand, rowsBy } from '../generic/reading.ts';

export const securityCommands: readonly Command[] = [
  ...genericCommands(security, ['security']),
  readingCommand(security, {
    verb: 'attempts',
    examples: { 'telctl security attempts': 'Who tried, from where' },
    table: {
      noun: 'attempts',
      columns: [
        { header: 'TIME', paths: ['timestamp'], show: 'time' },
        { header: 'MODULE', paths: ['auth_module'] },
        { header: 'STATUS', paths: ['status'] },
        { header: 'FROM', paths: ['client_ip'] },
        { header: 'MESSAGE', paths: ['message'], show: 'sentence' },
      ],
    },
  }),
  readingCommand(security, {
    verb: 'modules',
    examples: { 'telctl security modules': 'Those that the service has' },
    table: {
      noun: 'modules',
      columns: [{ header: 'MODULE', paths: ['module'] }],
      rows: (data) => {
        const names = isObject(data) ? data.available_auth_modules : undefined;
        return Array.isArray(names) ? names.map((module) => ({ module })) : [];
      },
    },
  }),
];

export const aclsCommands: readonly Command[] = [
  readingCommand(acls, {
    path: ['acls', 'list'],
    verb: 'of-account',
    instead: {
      given: 'everywhere',
      verb: 'everywhere',
      doc: 'By the path of the whole service, where it offers that alone',
    },
    examples: { 'telctl acls list': 'From where switches take calls' },
    table: { noun: 'networks', rows: rowsBy('name') },
  }),
];
