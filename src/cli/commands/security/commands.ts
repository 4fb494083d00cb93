import { isObject } from '../../../base/json.ts';
import { acls } from '../../../contract/resources/acls.ts';
import { security } from '../../../contract/resources/security.ts';
import type { Command } from '../../command/command.ts';
import { genericCommands } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

export const securityCommands: readonly Command[] = [
  ...genericCommands(security, ['security']),
  callCommand({
    operation: operationFor(security, 'attempts'),
    examples: { 'telctl security attempts': 'Who tried, from where' },
    gives: {
      noun: 'attempts',
      rows: 'pages',
      columns: [
        { header: 'TIME', paths: ['timestamp'], show: 'time' },
        { header: 'MODULE', paths: ['auth_module'] },
        { header: 'STATUS', paths: ['status'] },
        { header: 'FROM', paths: ['client_ip'] },
        { header: 'MESSAGE', paths: ['message'], show: 'sentence' },
      ],
    },
  }),
  callCommand({
    operation: operationFor(security, 'modules'),
    examples: { 'telctl security modules': 'Those that the service has' },
    gives: {
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
  callCommand({
    path: ['acls', 'list'],
    operation: operationFor(acls, 'of-account'),
    options: {
      everywhere: { doc: 'By the path of the whole service, where it offers that alone', into: 'nowhere' },
    },
    given: [{ when: { everywhere: true }, operation: operationFor(acls, 'everywhere') }],
    examples: { 'telctl acls list': 'From where switches take calls' },
    shows: 'acls',
    gives: { resource: 'acls', noun: 'networks', rows: { keyed: 'name' } },
  }),
];
