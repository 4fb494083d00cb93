import { Failure, ignoreFailure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { errorMessage, formatCount, quoteName } from '../../../base/wording.ts';
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
import { findLeftovers } from '../webhooks/listen/subscribe.ts';
import {
  checkCompletion,
  checkFolders,
  checkNetwork,
  checkNode,
  checkState,
  type DoctorCheck,
  fail,
  ok,
  warn,
} from './check-machine.ts';

export const doctorCommands: readonly Command[] = [
  defineCommand({
    path: ['doctor'],
    summary: 'Check the setup of this machine: sign-in, service, clock, files',
    description:
      'Runs read-only checks and suggests a fix for each problem. Never prints secrets. Exits with code 1 if a check fails, and with code 0 if there are only warnings. To check the deliveries of webhooks, run telctl webhooks health.',
    arguments: {},
    options: {},
    effect: 'read',
    examples: { 'telctl doctor': 'Find the cause of a problem', 'telctl doctor -o json': 'Write a report' },
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

async function doctor(_: unknown, context: Context): Promise<Result> {
  const { host } = context;
  const { troubles } = settingTroubles(host);
  const [service, sandboxes] = await Promise.all([
    troubles.length > 0 ? [notChecked] : checkService(context),
    extensionPart('checkSandboxes')?.(host) ?? [],
  ]);
  const checks: readonly DoctorCheck[] = [
    checkNode(host),
    ...checkFolders(host),
    ...checkSettings(host, troubles),
    ...service,
    ...checkNetwork(context),
    ...sandboxes,
    checkState(host),
    checkCompletion(host),
  ];
  const count = (result: DoctorCheck['result']): number =>
    checks.filter((each) => each.result === result).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const words = [
    `${checks.length} checks: ${count('ok')} ok`,
    ...(warned > 0 ? [formatCount(warned, 'warning')] : []),
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

/** The finding if invalid settings leave it uncertain which service and keys to use. */
const notChecked = warn(
  'service',
  'Not checked, because settings cannot be read.',
  'Correct the settings first.',
);

function checkSettings(host: Host, troubles: readonly Failure[]): readonly DoctorCheck[] {
  if (troubles.length === 0) return [ok('settings', 'All settings are valid.')];
  return troubles.map(({ message, hint }) =>
    fail(
      'settings',
      message.replace(host.folders.config, homePath(host, host.folders.config)),
      hint ?? nextStep`config explain`,
    ),
  );
}

async function checkService(context: Context): Promise<readonly DoctorCheck[]> {
  const session = await context.session().catch((error: unknown) => asFailure(error));
  if (session instanceof Failure) return [signInCheck(session)];
  const { profile } = session;
  const protection = profile.protect === undefined ? '' : `, protected (${profile.protect})`;
  const used = ok(
    'profile',
    `${profile.name}, from ${session.profileSource}: ${profile.baseUrl}${protection}.`,
  );
  const [key, answer] = await Promise.all([checkKeyring(profile), checkResponse(context, session)]);
  return [used, ...key, ...answer, checkLearned(session)];
}

function checkLearned(session: Session): DoctorCheck {
  const { conformance } = session.learned();
  if (conformance === undefined)
    return ok(
      'conformance',
      `The operations that the service supports are unknown. To detect them: ${nextStep`conformance`}`,
    );
  const { at, by, notOffered, otherShape } = conformance;
  const found = [
    ...(notOffered.length > 0 ? [`${notOffered.length} not offered`] : []),
    ...(otherShape.length > 0 ? [`${otherShape.length} in another shape`] : []),
  ];
  const what = found.length > 0 ? found.join(', ') : 'as documented';
  return ok('conformance', `Operations as of ${at.slice(0, 10)} (${by}): ${what}.`);
}

/** The next sign-in needs the keyring even while the token is valid. */
async function checkKeyring(profile: Session['profile']): Promise<readonly DoctorCheck[]> {
  if (profile.keyStore !== 'keyring') return [];
  const { readFromKeyring } = await import('../../../client/session/secret-sources.ts');
  const key = await readFromKeyring(profile).catch(asFailure);
  const again = `Sign in again: ${nextStep`login --profile ${profile.name}`}`;
  if (key instanceof Failure) return [fail('keyring', key.message, key.hint ?? again)];
  if (key === undefined)
    return [fail('keyring', `The keyring has no key of profile "${profile.name}".`, again)];
  return [ok('keyring', `The keyring has the key of profile "${profile.name}".`)];
}

/** Finds webhooks of killed listeners on this machine. Skipped if the service cannot list webhooks. */
async function checkListeners(host: Host, api: Api): Promise<readonly DoctorCheck[]> {
  const left = await ignoreFailure(findLeftovers(api, host));
  if (left === undefined) return [];
  const names = left.map(({ name }) => name);
  return names.length === 0
    ? [ok('listeners', 'No listener of this machine left a webhook behind.')]
    : [
        warn(
          'listeners',
          `Killed listeners left webhooks behind: ${names.join(', ')}.`,
          `The next telctl webhooks listen removes them. To remove them now: ${nextStep`webhooks delete NAME`}`,
        ),
      ];
}

async function checkCharges(context: Context): Promise<readonly DoctorCheck[]> {
  const limits = await ignoreFailure(readLimits(context));
  if (limits === undefined) return [];
  const stored = storedAcceptance(limits);
  return stored
    ? [warn('charges', stored.finding, stored.remedy)]
    : [ok('charges', 'No charges are accepted in advance.')];
}

/** Finds working webhooks that are probably mistakes. Skipped if the service cannot list webhooks. */
async function checkWebhooks(context: Context, api: Api): Promise<readonly DoctorCheck[]> {
  const own = { id: await context.accountId(), above: [] };
  const all = await ignoreFailure(placedWebhooks(api, own, context.settings.concurrency.value));
  if (all === undefined) return [];
  const found = await Promise.all(
    all.map(async (one) => ({
      name: String(one.record.name),
      findings: await findingsOn(context, one, all),
    })),
  );
  const sentences = found.flatMap(({ name, findings }) =>
    findings.map((each) => `${quoteName(name)}: ${each}`),
  );
  return sentences.length === 0
    ? [ok('webhooks', 'No webhook is a duplicate, or has a questionable address or key.')]
    : [warn('webhooks', `${sentences.join('; ')}.`, `Change them: ${nextStep`webhooks patch NAME`}`)];
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

function signInCheck({ kind, message, hint, cause }: Failure): DoctorCheck {
  if (kind === 'unavailable' || (kind === 'failed' && cause !== undefined))
    return fail('service', message, hint ?? 'Check the address, the network and the proxy.');
  return fail(cause === undefined ? 'profile' : 'sign-in', message, hint ?? nextStep`login`);
}

async function checkResponse(context: Context, session: Session): Promise<readonly DoctorCheck[]> {
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
      ...checkClock(replyTimeMs(reply), (startedMs + endedMs) / 2),
      ...(await Promise.all([checkListeners(context.host, api), checkCharges(context)])).flat(),
      ...(await checkWebhooks(context, api)),
    ];
  } catch (error) {
    const { kind, message, hint, status } = asFailure(error);
    if (kind === 'interrupted') throw error;
    const remedy = hint ?? `${nextStep`whoami --verbose`} shows the requests and responses.`;
    if (kind === 'unavailable' || (kind === 'failed' && status === undefined))
      return [fail('service', message, remedy)];
    if (kind === 'auth') return [ok('service', `${baseUrl} answers.`), fail('sign-in', message, remedy)];
    return [
      ok('service', `${baseUrl} answers.`),
      ok('sign-in', 'A token is stored.'),
      (kind === 'not_found' ? fail : warn)('account', errorMessage(error), remedy),
    ];
  }
}

/** Tokens still expire on time with this difference of the clocks. */
const tolerableMs = 60_000;

/** Compares the clocks by the timestamp in the response, or else by its `Date` header. */
function checkClock(theirs: number | undefined, nowMs: number): readonly DoctorCheck[] {
  if (theirs === undefined) return [];
  const apartMs = nowMs - theirs;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  if (Math.abs(apartMs) <= tolerableMs)
    return [ok('clock', 'This machine and the service agree on the time.')];
  const direction = apartMs > 0 ? 'ahead of' : 'behind';
  return [
    warn(
      'clock',
      `This machine is ${seconds} s ${direction} the service. Tokens expire too early or too late.`,
      `Set the clock of this machine, or run ${nextStep`sandbox clock status`}`,
    ),
  ];
}
