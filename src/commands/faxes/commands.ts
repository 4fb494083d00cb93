import { type Command, defineCommand } from '../../command/command.ts';
import { faxes } from '../../contract/resources/faxes.ts';
import type { GenericVerb, Operation, Resource } from '../../contract/types.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-record.ts';

/** Arguments of commands about one fax. */
export const faxArguments = { id: { name: 'ID', doc: 'Its id' } } as const;

/** The faxes of one box, under the names of the generic verbs. */
function box(verbs: Partial<Readonly<Record<GenericVerb, string>>>): Resource {
  const operations = Object.entries(verbs).map(
    ([verb, name]): Operation => ({ ...operationFor(faxes, name), verb }),
  );
  return { ...faxes, operations };
}

const inbox = box({ list: 'inbox', get: 'received', delete: 'delete-received' });
const outbox = box({ list: 'outbox', get: 'sent', delete: 'delete-sent' });

const resubmit = defineCommand({
  path: ['faxes', 'outbox', 'resubmit'],
  summary: 'Send a fax again, as a new job',
  arguments: faxArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl faxes outbox resubmit ID', doc: 'One that failed' }],
  operations: ['faxes.resubmit'],
  load: async () => (await import('./resubmit.ts')).resubmitFax,
});

/** Everything under `telctl faxes`. */
export const faxesCommands: readonly Command[] = [
  ...genericCommands(faxes, ['faxes']),
  ...genericCommands(inbox, ['faxes', 'inbox']),
  ...genericCommands(outbox, ['faxes', 'outbox']),
  resubmit,
];
