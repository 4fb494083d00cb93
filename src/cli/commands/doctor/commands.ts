import { Failure, nextStep, unlessFailed } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { counted, messageOf, quoted } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { replyTimeMs } from '../../../client/api/unwrap.ts';
import { homePath } from '../../../client/session/secret-sources.ts';
import type { Session } from '../../../client/session/session.ts';
import { settingTroubles } from '../../../client/session/setting-troubles.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import type { Column } from '../../../contract/types.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { extensionPart } from '../extension.ts';
import { readLimits, storedAcceptance } from '../limits/commands.ts';
import { operationFor } from '../records/find-named.ts';
import { findingsOn, placedWebhooks } from '../webhooks/findings.ts';
import { leftovers } from '../webhooks/listen/subscribe.ts';
import {
  type Check,
  checkCompletion,
  checkFolders,
  checkNetwork,
  checkNode,
  checkState,
  fail,
  ok,
  warn,
} from './check-machine.ts';

export const doctorCommands: readonly Command[] = [
  defineCommand({
    path: ['doctor'],
    summary: 'Check this machine and its set-up: sign-in, service, clock, files',
    description:
      'Looks and changes nothing. Shows what is in order and what is not, with what to do about it, and no secret. Exits 1 where something does not work; warnings, such as a webhook that a killed listener left behind, leave it at 0. The state of webhooks: telctl webhooks health, which exits 8 where some are failing.',
    arguments: {},
    options: {},
    effect: 'read',
    examples: { 'telctl doctor': 'When something does not work', 'telctl doctor -o json': 'For a report' },
    operations: ['accounts.get', 'webhooks.list'],
    withoutSettings: true,
    load: async () => doctor,
  }),
];

const columns: readonly Column[] = [
  { header: 'CHECK', paths: ['check'] },
  { header: 'RESULT', paths: ['result'] },
  { header: 'FINDING', paths: ['finding', 'remedy'], show: 'sentence' },
];

/** Looks at this machine and its set-up. Exits 1 where something does not work; warnings do not count. */
async function doctor(_: unknown, context: Context): Promise<Result> {
  const { host } = context;
  const { troubles } = settingTroubles(host);
  const [service, sandboxes] = await Promise.all([
    troubles.length > 0 ? [notAsked] : checkService(context),
    extensionPart('checkSandboxes')?.(host) ?? [],
  ]);
  const checks: readonly Check[] = [
    checkNode(host),
    ...checkFolders(host),
    ...checkSettings(host, troubles),
    ...service,
    ...checkNetwork(context),
    ...sandboxes,
    checkState(host),
    checkCompletion(host),
  ];
  const count = (result: Check['result']): number => checks.filter((each) => each.result === result).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const words = [
    `${checks.length} checks: ${count('ok')} ok`,
    ...(warned > 0 ? [counted(warned, 'warning')] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return {
    kind: 'list',
    items: checks.map((check) => ({ ...check })),
    columns,
    noun: 'checks',
    summary: () => words.join(', '),
    ...(failed > 0 ? { exit: 'failed' } : {}),
  };
}

/** The finding when it is not known for sure which service is meant, and whose keys go there. */
const notAsked = warn('service', 'Not asked, while settings cannot be read.', 'Correct the settings first.');

/** Finds what keeps settings from being resolved, one finding each. */
function checkSettings(host: Host, troubles: readonly Failure[]): readonly Check[] {
  if (troubles.length === 0) return [ok('settings', 'All can be read.')];
  return troubles.map(({ message, hint }) =>
    fail(
      'settings',
      message.replace(host.folders.config, homePath(host, host.folders.config)),
      hint ?? nextStep`config explain`,
    ),
  );
}

/** The profile in use, the sign-in, the service and its clock: each needs the one before it. */
async function checkService(context: Context): Promise<readonly Check[]> {
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
  const { readFromKeyring } = await import('../../../client/session/secret-sources.ts');
  const key = await readFromKeyring(profile).catch(failed);
  const again = `Sign in again: ${nextStep`login --profile ${profile.name}`}`;
  if (key instanceof Failure) return [fail('keyring', key.message, key.hint ?? again)];
  if (key === undefined) return [fail('keyring', `It holds no key of profile "${profile.name}".`, again)];
  return [ok('keyring', `It holds the key of profile "${profile.name}".`)];
}

/** Webhooks that listeners of this machine made and could not take away; a service without a list cannot tell. */
async function checkListeners(host: Host, api: Api): Promise<readonly Check[]> {
  const left = await unlessFailed(leftovers(api, host));
  if (left === undefined) return [];
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
  const limits = await unlessFailed(readLimits(context));
  if (limits === undefined) return [];
  const stored = storedAcceptance('the limits', limits);
  return stored
    ? [warn('charges', stored.finding, stored.remedy)]
    : [ok('charges', 'None is accepted in advance.')];
}

/** Webhooks that work and are most likely not what their owner wants; a service without a list cannot tell. */
async function checkWebhooks(context: Context, api: Api): Promise<readonly Check[]> {
  const own = { id: await context.accountId(), above: [] };
  const all = await unlessFailed(placedWebhooks(api, own, context.settings.concurrency.value));
  if (all === undefined) return [];
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
