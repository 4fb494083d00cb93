import { Failure } from '../../base/failure.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { participants } from '../../contract/resources/participants.ts';
import { act } from '../act.ts';
import { readBody } from '../generic/body-input.ts';
import { operationFor } from '../generic/find-record.ts';
import { participantPath } from './participants.ts';

const operation = operationFor(participants, 'update');

/**
 * Does something to a participant. The specification answers with the conference, compatible services with a word;
 * either is shown to scripts as it came.
 */
export async function updateParticipant(input: ParsedInput, context: Context): Promise<Result> {
  const { action, conference, files, mediaId, participant } = input;
  const given = await readBody(context, participants, operation, input);
  const data = withAction(given, action, mediaId);
  // An empty body is what the specification shows of this operation; it is sent where a file says so.
  const isWritten = Array.isArray(files) && files.length > 0;
  if (Object.keys(data).length === 0 && !isWritten)
    throw new Failure('usage', 'It must be said what to do.', {
      hint: 'Give --action mute, unmute, deaf, undeaf, kick or play, or a body by -f FILE.',
    });
  const path = await participantPath(context, String(conference), String(participant));
  const what = typeof data.action === 'string' ? `action ${data.action}` : 'the body';
  return act(context, {
    call: { operation, path, data },
    message: () => `Sent ${what} to participant ${participant} of conference ${conference}.`,
    resource: 'conferences',
  });
}

/** The body with the action, whose parameters stand in a `data` of their own (Conventions, Conferences). */
function withAction(
  given: JsonObject,
  action: ParsedInput[string],
  mediaId: ParsedInput[string],
): JsonObject {
  const media = typeof mediaId === 'string' ? { media_id: mediaId } : undefined;
  const parameters = isObject(given.data) ? given.data : {};
  return {
    ...given,
    ...(typeof action === 'string' ? { action } : {}),
    ...(media ? { data: { ...parameters, ...media } } : {}),
  };
}
