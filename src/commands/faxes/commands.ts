import { isObject } from '../../base/json.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { faxes } from '../../contract/resources/faxes.ts';
import type { GenericVerb, Operation, Resource } from '../../contract/types.ts';
import { act } from '../act.ts';
import { genericCommands } from '../generic/commands.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';

const faxArguments = { id: { name: 'ID', doc: 'Its id' } } as const;

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
  load: async () => resubmitFax,
});

export const faxesCommands: readonly Command[] = [
  ...genericCommands(faxes, ['faxes']),
  ...genericCommands(inbox, ['faxes', 'inbox']),
  ...genericCommands(outbox, ['faxes', 'outbox']),
  resubmit,
];

/** Sends a fax of the outbox again; the new job has an id of its own. */
async function resubmitFax(
  { id: word }: InputOf<Record<never, never>, typeof faxArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, faxes, word);
  return act(context, {
    call: { operation: operationFor(faxes, 'resubmit'), path: pathTo(faxes, id) },
    message: (data) =>
      isObject(data) && typeof data.id === 'string' && data.id !== id
        ? `Sent fax ${id} again, as ${data.id}.`
        : `Sent fax ${id} again.`,
    resource: 'faxes',
  });
}
