import { isObject } from '../../../base/json.ts';
import { faxes } from '../../../contract/resources/faxes.ts';
import type { GenericVerb, Operation, Resource } from '../../../contract/types.ts';
import type { Command } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';

function box(verbs: Partial<Readonly<Record<GenericVerb, string>>>): Resource {
  const operations = Object.entries(verbs).map(
    ([verb, name]): Operation => ({ ...operationFor(faxes, name), verb }),
  );
  return { ...faxes, operations };
}

const inbox = box({ list: 'inbox', get: 'received', delete: 'delete-received' });
const outbox = box({ list: 'outbox', get: 'sent', delete: 'delete-sent' });

export const faxesCommands: readonly Command[] = [
  ...genericCommands(faxes, ['faxes']),
  ...genericCommands(inbox, ['faxes', 'inbox']),
  ...genericCommands(outbox, ['faxes', 'outbox']),
  callCommand({
    path: ['faxes', 'outbox', 'resubmit'],
    operation: operationFor(faxes, 'resubmit'),
    arguments: { id: { name: 'ID', doc: 'Its id' } },
    examples: { 'telctl faxes outbox resubmit ID': 'One that failed' },
    says: (job, { id }) =>
      isObject(job) && typeof job.id === 'string' && job.id !== id
        ? `Sent fax ${id} again, as ${job.id}.`
        : `Sent fax ${id} again.`,
  }),
];
