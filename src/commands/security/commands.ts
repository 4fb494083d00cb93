import { isObject } from '../../base/json.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { security } from '../../contract/resources/security.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';

const attempts = defineCommand({
  path: ['security', 'attempts'],
  summary: 'List attempts to sign in that were logged',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl security attempts', doc: 'Who tried, from where' }],
  operations: ['security.attempts'],
  load: async () => listAttempts,
});

const modules = defineCommand({
  path: ['security', 'modules'],
  summary: 'List the modules by which one can sign in',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl security modules', doc: 'Those that the service has' }],
  operations: ['security.modules'],
  load: async () => listModules,
});

/** Everything under `telctl security`. */
export const securityCommands: readonly Command[] = [
  ...genericCommands(security, ['security']),
  attempts,
  modules,
];

/** Lists attempts to sign in. */
async function listAttempts(_: unknown, context: Context): Promise<ListResult> {
  const api = await context.api();
  return {
    kind: 'list',
    items: flattened(api.pages({ operation: operationFor(security, 'attempts') })),
    columns: [
      { header: 'TIME', paths: ['timestamp'], show: 'time' },
      { header: 'MODULE', paths: ['auth_module'] },
      { header: 'STATUS', paths: ['status'] },
      { header: 'FROM', paths: ['client_ip'] },
      { header: 'MESSAGE', paths: ['message'], show: 'sentence' },
    ],
    noun: 'attempts',
  };
}

/** Lists the modules of the service. */
async function listModules(_: unknown, context: Context): Promise<ListResult> {
  const { data } = await (await context.api()).call({ operation: operationFor(security, 'modules') });
  const names =
    isObject(data) && Array.isArray(data.available_auth_modules) ? data.available_auth_modules : [];
  return {
    kind: 'list',
    items: names.map((module) => ({ module })),
    columns: [{ header: 'MODULE', paths: ['module'] }],
    noun: 'modules',
  };
}
