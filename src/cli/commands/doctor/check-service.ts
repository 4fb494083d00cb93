import { Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { messageOf, quoted } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { replyTimeMs } from '../../../client/api/unwrap.ts';
import type { Session } from '../../../client/session/session.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import type { Context } from '../../command/context.ts';
import { operationFor } from '../generic/find-named.ts';
import { readLimits, storedAcceptance } from '../limits/commands.ts';
import { findingsOn, placedWebhooks } from '../webhooks/findings.ts';
import { leftovers } from '../webhooks/listen/subscribe.ts';
import { type Check, fail, ok, warn } from './check-machine.ts';

/** The profile in use, the sign-in, the service and its clock: each needs the one before it. */
export async function checkService(context: Context): Promise<readonly Check[]> {
  const session = await context.session().catch((error: unknown) => failed(error));
  if (session instanceof Failure) return [withoutSession(session)];
  const { profile } = session;
  const protection = profile.protect === undefined ? '' : `, protected (${profile.protect})`;
  const used = ok(
    'profile',
    `${profile.name}, from ${session.profileSource}: ${profile.baseUrl}${protection}.`,
  );
  const [key, answer] = await Promise.all([checkKeyring(profile), checkAnswer(context, session)]);
  return [used, ...key, ...answer, checkLearned(session)];
}

/** Checks what is known of the service beyond its documentation. */
function checkLearned(session: Session): Check {
  const { conformance } = session.learned();
  if (conformance === undefined)
    return ok(
      'conformance',
      `It is not known yet what the service offers. To find out: ${nextStep`conformance`}`,
    );
  const { at, by, notOffered, otherShape } = conformance;
  const found = [
    ...(notOffered.length > 0 ? [`${notOffered.length} not offered`] : []),
    ...(otherShape.length > 0 ? [`${otherShape.length} in another shape`] : []),
  ];
  const what = found.length > 0 ? found.join(', ') : 'as documented';
  return ok('conformance', `Operations as of ${at.slice(0, 10)} (${by}): ${what}.`);
}

/** A token may outlive the keyring that the next sign-in needs. */
async function checkKeyring(profile: Session['profile']): Promise<readonly Check[]> {
  if (profile.keyStore !== 'keyring') return [];
  const { readFromKeyring } = await import('../../../client/session/key-store.ts');
  const key = await readFromKeyring(profile).catch(failed);
  const again = `Sign in again: ${nextStep`login --profile ${profile.name}`}`;
  if (key instanceof Failure) return [fail('keyring', key.message, key.hint ?? again)];
  if (key === undefined) return [fail('keyring', `It holds no key of profile "${profile.name}".`, again)];
  return [ok('keyring', `It holds the key of profile "${profile.name}".`)];
}

/** Webhooks that listeners of this machine made and could not take away; a service without a list cannot tell. */
async function checkListeners(host: Host, api: Api): Promise<readonly Check[]> {
  const left = await leftovers(api, host).catch(failed);
  if (left instanceof Failure) return [];
  const names = left.map(({ name }) => name);
  return names.length === 0
    ? [ok('listeners', 'None of this machine left a webhook behind.')]
    : [
        warn(
          'listeners',
          `Listeners that were killed left webhooks behind: ${names.join(', ')}.`,
          `The next telctl webhooks listen removes them, or: ${nextStep`webhooks delete NAME`}`,
        ),
      ];
}

/** An acceptance of charges that the service keeps; one without limits to show cannot tell. */
async function checkCharges(context: Context): Promise<readonly Check[]> {
  const limits = await readLimits(context).catch(failed);
  if (limits instanceof Failure) return [];
  const stored = storedAcceptance('the limits', limits);
  return stored
    ? [warn('charges', stored.finding, stored.remedy)]
    : [ok('charges', 'None is accepted in advance.')];
}

/** Webhooks that work and are most likely not what their owner wants; a service without a list cannot tell. */
async function checkWebhooks(context: Context, api: Api): Promise<readonly Check[]> {
  const own = { id: await context.accountId(), above: [] };
  const all = await placedWebhooks(api, own, context.settings.concurrency.value).catch(failed);
  if (all instanceof Failure) return [];
  const found = await Promise.all(
    all.map(async (one) => ({
      name: String(one.record.name),
      findings: await findingsOn(context, one, all),
    })),
  );
  const sentences = found.flatMap(({ name, findings }) => findings.map((each) => `${quoted(name)}: ${each}`));
  return sentences.length === 0
    ? [ok('webhooks', 'None has a doubtful address, a doubtful key or a duplicate.')]
    : [warn('webhooks', `${sentences.join('; ')}.`, `Change them: ${nextStep`webhooks patch NAME`}`)];
}

function failed(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** Nobody is signed in; or the environment was to sign in, which the service refused or did not answer. */
function withoutSession({ kind, message, hint, cause }: Failure): Check {
  if (kind === 'unavailable' || (kind === 'failed' && cause !== undefined))
    return fail('service', message, hint ?? 'Check the address, the network and the proxy.');
  return fail(cause === undefined ? 'profile' : 'sign-in', message, hint ?? nextStep`login`);
}

async function checkAnswer(context: Context, session: Session): Promise<readonly Check[]> {
  const { clock } = context.host;
  const { baseUrl } = session.profile;
  try {
    await session.token();
    const api = await context.api();
    const startedMs = clock.now();
    const reply = await api.call({ operation: operationFor(accounts, 'get') });
    const endedMs = clock.now();
    const own = session.profile.accountName ?? session.profile.accountId;
    return [
      ok('sign-in', `Signed in to ${own}.`),
      ok('service', `${baseUrl} answers in ${endedMs - startedMs} ms.`),
      ...skewOf(replyTimeMs(reply), (startedMs + endedMs) / 2),
      ...(await Promise.all([checkListeners(context.host, api), checkCharges(context)])).flat(),
      ...(await checkWebhooks(context, api)),
    ];
  } catch (error) {
    const { kind, message, hint, status } = failed(error);
    if (kind === 'interrupted') throw error;
    const remedy = hint ?? `${nextStep`whoami --verbose`} shows what was asked and answered.`;
    if (kind === 'unavailable' || (kind === 'failed' && status === undefined))
      return [fail('service', message, remedy)];
    if (kind === 'auth') return [ok('service', `${baseUrl} answers.`), fail('sign-in', message, remedy)];
    return [
      ok('service', `${baseUrl} answers.`),
      ok('sign-in', 'A token is there.'),
      (kind === 'not_found' ? fail : warn)('account', messageOf(error), remedy),
    ];
  }
}

/** Clocks further apart than this make tokens end at the wrong time, in milliseconds. */
const tolerableMs = 60_000;

/** Returns how far the clocks are apart, by the reply's own time, else by its header. */
function skewOf(theirs: number | undefined, nowMs: number): readonly Check[] {
  if (theirs === undefined) return [];
  const apartMs = nowMs - theirs;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  if (Math.abs(apartMs) <= tolerableMs)
    return [ok('clock', 'This machine and the service agree on the time.')];
  const direction = apartMs > 0 ? 'ahead of' : 'behind';
  return [
    warn(
      'clock',
      `This machine is ${seconds} s ${direction} the service; tokens would seem to end at the wrong time.`,
      `Set the clock of this machine, or look at: ${nextStep`sandbox clock status`}`,
    ),
  ];
}
