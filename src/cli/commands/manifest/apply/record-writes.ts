import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { isObject, omitUndefined } from '../../../../base/json.ts';
import type { Session } from '../../../../client/session/session.ts';
import { operationIn } from '../../../../contract/resource.ts';
import { RunRecorder } from '../../../../engine/manifest/recorder.ts';
import type { Pipeline, RunFacts, StartLine } from '../../../../engine/state/log.ts';
import type { Context } from '../../../command/context.ts';

export interface CommandOfRun {
  /** Without secrets. */
  readonly command: string;
  readonly note: string | undefined;
}

/** Variables in which CI systems name the pipeline, the commit and the user that started it. */
const pipelines = [
  { id: 'GITHUB_RUN_ID', commit: 'GITHUB_SHA', actor: 'GITHUB_ACTOR' },
  { id: 'CI_PIPELINE_ID', commit: 'CI_COMMIT_SHA', actor: 'GITLAB_USER_LOGIN' },
  { id: 'BITBUCKET_BUILD_NUMBER', commit: 'BITBUCKET_COMMIT', actor: 'BITBUCKET_STEP_TRIGGERER_UUID' },
  { id: 'BUILD_BUILDID', commit: 'BUILD_SOURCEVERSION', actor: 'BUILD_REQUESTEDFOR' },
  { id: 'CIRCLE_WORKFLOW_ID', commit: 'CIRCLE_SHA1', actor: 'CIRCLE_USERNAME' },
  { id: 'BUILDKITE_BUILD_NUMBER', commit: 'BUILDKITE_COMMIT', actor: 'BUILDKITE_BUILD_CREATOR' },
  { id: 'CI_PIPELINE_NUMBER', commit: 'CI_COMMIT_SHA', actor: 'CI_COMMIT_AUTHOR' },
  { id: 'BUILD_NUMBER', commit: 'GIT_COMMIT', actor: 'BUILD_USER_ID' },
] as const;

function pipelineIn(env: Host['env']): Pipeline | undefined {
  const known = pipelines.find(({ id }) => env[id]);
  if (known === undefined) return undefined;
  const { [known.id]: id = '', [known.commit]: commit, [known.actor]: actor } = env;
  return { id, ...(commit ? { commit } : {}), ...(actor ? { actor } : {}) };
}

export function runFacts({ env, processes }: Host, { command, note }: CommandOfRun): RunFacts {
  const ci = pipelineIn(env);
  const identity = processes.identityOf(processes.pid);
  return {
    machine: processes.machine(),
    ...(identity === undefined ? {} : { process: identity }),
    command,
    ...(note === undefined ? {} : { note }),
    ...(ci === undefined ? {} : { ci }),
  };
}

const keyName = 'API key of ';

/** Limit for the runs that are searched for the name of a user. */
const lookedThrough = 10;

/**
 * Returns the user of a run for the log. Some sign-ins return only an id. Its name is then requested if `asks` is set,
 * or copied from an earlier run. An API key without a name counts as the account.
 */
export async function runUser(
  context: Context,
  { asks }: { readonly asks: boolean },
): Promise<Pick<StartLine, 'user' | 'userId'>> {
  const session = await context.session();
  const { username, ownerId: userId, method, accountId, accountName = accountId } = session.profile;
  const ask = () => readUsername(context, accountId, userId);
  const asked = asks && username === undefined ? await memoized(requestedNames, session, ask) : undefined;
  const former = () => memoized(loggedUsernames, session, () => nameInLog(context, userId));
  const named = username ?? asked;
  const unnamed = method === 'api-key' ? keyName + accountName : userId;
  const user = named ?? (await former()) ?? unnamed;
  return { user, ...(userId === undefined ? {} : { userId }) };
}

/** Names of users by session, so that a process that works on many accounts looks each up once. */
type Names = WeakMap<Session, Promise<string | undefined>>;
const requestedNames: Names = new WeakMap();
const loggedUsernames: Names = new WeakMap();

function memoized(names: Names, session: Session, find: () => Promise<string | undefined>) {
  const known = names.get(session) ?? find();
  names.set(session, known);
  return known;
}

/** Returns `undefined` if the service does not show the user. */
async function readUsername(
  context: Context,
  account_id: string,
  user_id: string | undefined,
): Promise<string | undefined> {
  if (user_id === undefined) return undefined;
  try {
    const [api, { users }] = await Promise.all([
      context.api(),
      import('../../../../contract/resources/users.ts'),
    ]);
    const { data } = await api.call({ operation: operationIn(users, 'get'), path: { account_id, user_id } });
    return isObject(data) && typeof data.username === 'string' ? data.username : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Finds the user name in an earlier run by the same database user. */
async function nameInLog(context: Context, userId: string | undefined): Promise<string | undefined> {
  if (userId === undefined) return undefined;
  let looked = 0;
  const state = await context.state();
  const by = await state.user();
  for await (const { lines } of state.log.newest(omitUndefined({ by, startsOnly: true }))) {
    for (const line of lines)
      if (line.line === 'start' && line.userId === userId && line.user !== undefined)
        if (line.user !== userId && !line.user.startsWith(keyName)) return line.user;
    looked += 1;
    if (looked === lookedThrough) return undefined;
  }
  return undefined;
}

/** Records the changes of a command. `names` has the names of accounts by id. */
export async function createWriteLog(
  context: Context,
  names: ReadonlyMap<string, string>,
  confidential: ReadonlySet<string>,
  late: (error: unknown) => void,
): Promise<RunRecorder> {
  const { host, settings, notices } = context;
  return new RunRecorder({
    state: context.state,
    facts: await context.facts(),
    pid: host.processes.pid,
    nowMs: host.clock.now,
    async who() {
      const { profile } = await context.session();
      return {
        ...(await runUser(context, { asks: false })),
        origin: profile.baseUrl,
        owner: await context.accountId(),
        nameOf: (id) =>
          names.get(id) ?? (id === profile.accountId ? profile.accountName : settings.account.value) ?? id,
      };
    },
    confidential,
    outside: host.outside,
    insists: settings.state.source === 'option',
    warn: notices.warn,
    late,
    interrupted: host.interrupted,
  });
}
