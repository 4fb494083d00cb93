import { Failure } from '../../base/failure.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { conferences } from '../../contract/resources/conferences.ts';
import { participants } from '../../contract/resources/participants.ts';
import { asRecord, findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { flattened } from '../generic/list.ts';
import type { conferenceArguments, participantArguments } from './commands.ts';

/** Lists who is in a conference. */
export async function listParticipants(
  { conference }: InputOf<Record<never, never>, typeof conferenceArguments>,
  context: Context,
): Promise<ListResult> {
  const { id } = await findRecord(context, conferences, conference);
  const operation = operationFor(participants, 'list');
  const pages = (await context.api()).pages({ operation, path: pathTo(conferences, id) });
  return { kind: 'list', items: flattened(pages), resource: 'participants', noun: 'participants' };
}

/** Shows one participant of a conference. */
export async function getParticipant(
  { conference, participant }: InputOf<Record<never, never>, typeof participantArguments>,
  context: Context,
): Promise<Result> {
  const path = await participantPath(context, conference, participant);
  const { data } = await (await context.api()).call({ operation: operationFor(participants, 'get'), path });
  const value = asRecord(participants, data);
  // Some services answer for whoever is not there with nothing in it.
  if (Object.keys(value).length === 0)
    throw new Failure('not_found', `There is no participant ${JSON.stringify(participant)}.`);
  return { kind: 'item', value, resource: 'participants' };
}

/** Path parameters of a participant. Throws `Failure` as `findRecord` does. */
export async function participantPath(
  context: Context,
  conference: string,
  participant: string,
): Promise<Readonly<Record<string, string>>> {
  const { id } = await findRecord(context, participants, participant);
  return {
    ...pathTo(conferences, (await findRecord(context, conferences, conference)).id),
    ...pathTo(participants, id),
  };
}
