import type { Api, Reply } from '../../api/api.ts';
import type { ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure, isLost } from '../../contract/failure.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import { limits } from '../../contract/resources/limits.ts';
import type { Result } from '../../terminal/result.ts';
import { same, wouldSend } from '../change.ts';
import { asRecord, operationFor } from '../generic/find-record.ts';
import { readInputRecord } from '../generic/input.ts';
import { readCharges } from './charges.ts';
import { agreeToCharges, consentOf } from './consent.ts';
import { readLimits } from './get.ts';

const operation = operationFor(limits, 'set');

/** The limits as they are after a change was sent, and the request that did it where its reply came. */
interface Sent {
  readonly record: JsonObject;
  readonly requestId: string | undefined;
}

/**
 * Changes limits. The change is sent without accepting charges first; on a 402 they are shown, and it is sent once
 * more, accepting them, when somebody agreed. After a lost reply the limits are read back and nothing is sent again.
 */
export async function setLimits(input: ParsedInput, context: Context): Promise<Result> {
  const consent = consentOf(input);
  const { value: wanted } = await readInputRecord(context, limits, 'patch', input);
  const before = await readLimits(context);
  const data = replacement(before, wanted);
  const api = await context.api();
  if (context.options.dryRun) {
    const notes = ['may add charges; they are known only when it is sent'];
    return wouldSend(context, [
      { request: api.plan({ operation, data }), schema: limits.schema, before, notes },
    ]);
  }
  const changes = Object.keys(wanted).filter((key) => !same(before[key] ?? null, wanted[key]));
  if (changes.length === 0)
    return { kind: 'done', message: 'The limits are so already.', value: before, resource: 'limits' };
  const { sent, accepted } = await sendWithConsent();
  const lines = changes.map((key) => `${key} ${shown(before[key])} → ${shown(sent.record[key])}`);
  const request = sent.requestId === undefined ? '' : `, request ${sent.requestId}`;
  return {
    kind: 'done',
    message: `Limits updated: ${lines.join(', ')}.${accepted ? ` Charges accepted${request}.` : ''}`,
    value: sent.record,
    resource: 'limits',
  };

  async function sendWithConsent(): Promise<{ readonly sent: Sent; readonly accepted: boolean }> {
    try {
      return { sent: await send(context, api, data, wanted), accepted: false };
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'charges') throw error;
      await agreeToCharges(context, readCharges(error.details), consent, error);
    }
    return { sent: await send(context, api, { ...data, accept_charges: true }, wanted), accepted: true };
  }
}

/** The whole record to send, since the service replaces it: what is stored, with the wanted fields over it. */
function replacement(before: JsonObject, wanted: JsonObject): JsonObject {
  const entries = Object.entries({ ...before, ...wanted });
  return Object.fromEntries(
    entries.filter(
      ([key, value]) => key !== 'id' && !key.startsWith('_') && value !== null && value !== undefined,
    ),
  );
}

/** Sends limits once. Where no reply came, reads them back and says what is so. */
async function send(context: Context, api: Api, data: JsonObject, wanted: JsonObject): Promise<Sent> {
  let reply: Reply;
  try {
    reply = await api.call({ operation, data });
  } catch (error) {
    if (!(error instanceof Failure) || !isLost(error)) throw error;
    return readBack(context, wanted, error);
  }
  return { record: asRecord(limits, reply.data), requestId: reply.requestId };
}

async function readBack(context: Context, wanted: JsonObject, lost: Failure): Promise<Sent> {
  context.notices.warn('No proper reply came; reading the limits back.');
  const record = await readLimits(context);
  if (Object.entries(wanted).every(([key, value]) => same(record[key] ?? null, value)))
    return { record, requestId: lost.requestId };
  throw new Failure(
    lost.kind,
    `${lost.message.replace(/\.?$/, '.')} The limits were read back and have not changed.`,
    {
      hint:
        lost.cause instanceof Failure
          ? 'It may still be under way: telctl limits get, before you repeat it.'
          : (lost.hint ?? 'Repeat the command.'),
      status: lost.status,
      code: lost.code,
      requestId: lost.requestId,
      cause: lost,
    },
  );
}

const shown = (value: Json | undefined): string =>
  value === undefined || value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
