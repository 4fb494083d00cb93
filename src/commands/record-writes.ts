import type { Context } from '../command/context.ts';
import type { Host } from '../host/host.ts';
import { type WriteLog, writeLog } from '../manifest/recorder.ts';
import type { Pipeline, RunFacts } from '../state/log.ts';

/** The command line as the log keeps it. */
export interface RunLine {
  /** The command line without secrets. */
  readonly command: string;
  readonly note: string | undefined;
}

/** Variables by which systems of continuous integration say which pipeline runs, for which commit, and who started it. */
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

/** Collects the facts of a run besides its changes. */
export function runFacts({ env, processes }: Host, { command, note }: RunLine): RunFacts {
  const ci = pipelineIn(env);
  return {
    machine: processes.machine(),
    command,
    ...(note === undefined ? {} : { note }),
    ...(ci === undefined ? {} : { ci }),
  };
}

/** Records what a command changes; `names` has those of accounts, by their ids. */
export async function writeLogOf(
  context: Context,
  names: ReadonlyMap<string, string>,
  confidential: ReadonlySet<string>,
): Promise<WriteLog> {
  const { host, settings, notices } = context;
  return writeLog({
    state: context.state,
    facts: await context.facts(),
    pid: host.processes.pid,
    nowMs: host.clock.now,
    async who() {
      const { profile } = await context.session();
      return {
        user: profile.username,
        ...(profile.ownerId === undefined ? {} : { userId: profile.ownerId }),
        origin: profile.baseUrl,
        owner: await context.accountId(),
        nameOf: (id) =>
          names.get(id) ?? (id === profile.accountId ? profile.accountName : settings.account.value) ?? id,
      };
    },
    confidential,
    insists: settings.state.source === 'option',
    warn: notices.warn,
    interrupted: host.interrupted,
  });
}
