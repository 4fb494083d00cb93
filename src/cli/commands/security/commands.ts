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
    examples: { 'telctl security attempts': 'List sign-in attempts and their addresses' },
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
    examples: { 'telctl security modules': 'List the modules of the service' },
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
      everywhere: { doc: 'Use the path of the whole service, if the service has no other', into: 'nowhere' },
    },
    given: [{ when: { everywhere: true }, operation: operationFor(acls, 'everywhere') }],
    examples: { 'telctl acls list': 'List addresses that switches accept calls from' },
    shows: 'acls',
    gives: { resource: 'acls', noun: 'networks', rows: { keyed: 'name' } },
  }),
];
