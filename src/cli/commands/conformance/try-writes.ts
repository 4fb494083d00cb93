import { Failure } from '../../../base/failure.ts';
import type { Random } from '../../../base/host/host.ts';
import { operationById, operations } from '../../../contract/catalogue.ts';
import type { Context } from '../../command/context.ts';
import { otherRotation, rotation } from '../accounts/api-key.ts';
import { randomPassword } from '../secrets.ts';
import {
  type Behaviours,
  type ChangeBehaviours,
  learnBehaviours,
  learnChangeBehaviours,
} from './behaviours.ts';
import { isOfferedIn, isTriedIn, judge, notTried, type Verdict, type Verdicts } from './judge.ts';
import { type Reader, readAll } from './reads.ts';
import type { RateWatch } from './replies.ts';
import { reasonAgainst } from './samples.ts';
import { changeSamples, createSamples, inSubAccount, type Send } from './writes.ts';

export const hexId = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

/** Name of the account of one run; it says whose it is, should it be left behind. */
export const subAccountName = (random: Random): string => `telctl-conformance-${hexId(random).slice(0, 12)}`;

interface Before {
  readonly reader: Reader;
  readonly read: Verdicts;
  readonly watch: RateWatch;
}

/**
 * Tries what writes, in an account of its own that is removed at the end, and there also the reads that found nothing
 * to ask about. Throws `Failure` of kind `interrupted` after Ctrl-C, once the account is removed.
 */
export async function tryWrites(
  context: Context,
  { reader, read, watch }: Before,
): Promise<{
  readonly found: Verdicts;
  readonly habits: Behaviours;
  readonly changes: ChangeBehaviours | undefined;
}> {
  const { host, notices } = context;
  const api = await context.bulkApi();
  const name = subAccountName(host.random);
  const found = new Map<string, Verdict>(read);
  let habits: Behaviours = {};
  let changes: ChangeBehaviours | undefined;
  const note = (verdicts: Verdicts): void => {
    for (const [id, verdict] of verdicts) found.set(id, verdict);
  };
  const { id, made, removed } = await inSubAccount(context, { api, name }, async (accountId) => {
    let sent = 0;
    const send: Send = async (operation, path, data, headers) => {
      if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.');
      notices.progress(sent++, expected, 'writes');
      const call = { operation, path: { ...path, account_id: accountId } };
      const incoming = await api.answer(data === undefined ? call : { ...call, data }, headers);
      watch.saw(incoming);
      return incoming;
    };
    const writer = {
      send,
      unknownPaths: reader.unknownPaths,
      account: name,
      secret: randomPassword(host.random),
    };
    const created = await createSamples(writer);
    note(created.verdicts);
    const inside: Reader = { ...reader, ask: (operation, path) => send(operation, path), made: created.ids };
    const again = await readAll(
      inside,
      (operation) => isInAccount(operation) && !isTriedIn(found, operation.id),
    );
    note(new Map([...again].filter(([id]) => isTriedIn(again, id))));
    habits = await learnBehaviours(writer, created.ids, hexId(host.random));
    changes = await learnChangeBehaviours(writer, created.ids);
    note(await changeSamples(writer, created.ids));
    const isPut = await rotatesByPut(send, found);
    if (isPut)
      found.set(rotation.id, { result: 'other-shape', note: 'PUT in place of POST', taken: 'taken' });
    if (isOfferedIn(found, rotation.id)) await (await context.session()).learn({ rotatesKeysByPut: isPut });
  });
  if (made !== undefined) found.set('accounts.create', judge(operationById('accounts.create'), made, reader));
  if (removed !== undefined)
    found.set('accounts.delete', judge(operationById('accounts.delete'), removed, reader));
  const untried = id === undefined ? 'the account for it could not be made' : 'no reply came';
  for (const operation of operations)
    if (!found.has(operation.id)) found.set(operation.id, notTried(reasonAgainst(operation) ?? untried));
  return { found, habits, changes };
}

/** Tells whether the service replaces API keys by PUT, if it does not by POST. */
async function rotatesByPut(send: Send, found: Verdicts): Promise<boolean> {
  if (found.get(rotation.id)?.result !== 'not-offered') return false;
  return (await send(otherRotation, {})).status < 300;
}

/** About as many requests as writing takes; the line of progress needs no more. */
const expected = operations.filter((operation) => reasonAgainst(operation) === undefined).length;

const isInAccount = ({ path }: { readonly path: string }): boolean =>
  path.startsWith('/accounts/{account_id}/');
