import { Failure, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Context } from '../../../cli/command/context.ts';
import { readAccountList } from '../../../cli/commands/bulk/choose-accounts.ts';
import {
  inputWithVars,
  manifestFor,
  readManifestQuietly,
} from '../../../cli/commands/manifest/accounts/many-accounts.ts';
import { refuseChangedFiles, resolveRunFiles } from '../../../cli/commands/manifest/apply/resume.ts';
import type { PlanningInput } from '../../../cli/commands/manifest/plan/planning.ts';
import { savedInput } from '../../../cli/commands/manifest/plan/save-plan.ts';
import {
  type GeneratedPasswords,
  openGeneratedPasswords,
} from '../../../cli/commands/passwords/passwords-file.ts';
import type { Notify } from '../../../cli/commands/webhooks/target-client.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { Rollout } from '../../../engine/state/rollouts.ts';
import type { WaveCheck } from './judge-wave.ts';
import { currentRollout, rolloutOf } from './report.ts';

export type RolloutInput = PlanningInput & {
  readonly overwrite?: boolean | undefined;
  readonly wait?: string | undefined;
  readonly onError?: 'stop' | 'continue' | undefined;
  /** File for passwords that are generated for new users and devices. */
  readonly generatePasswords?: string | undefined;
};

/** The input of a rollout and the values of variables by account. A process needs them to work on the rollout. */
export interface Prepared {
  readonly input: RolloutInput;
  readonly vars: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly passwords?: GeneratedPasswords | undefined;
  /** Only the process that was started with `--check` has a check. */
  readonly check?: WaveCheck | undefined;
  readonly notify?: Notify | undefined;
}

const none: ReadonlyMap<string, string> = new Map();

const accountVars = ({ vars }: Pick<Prepared, 'vars'>, word: string) => ({ vars: vars.get(word) ?? none });

export const inputOfAccount = (prepared: Prepared, word: string): RolloutInput =>
  inputWithVars(prepared.input, accountVars(prepared, word));

const readers = new WeakMap<Prepared, ReturnType<typeof manifestFor>>();

/** Returns the manifest for an account. Without variables, it is read once for all accounts. */
export function manifestOf(prepared: Prepared, own: Context, word: string) {
  const reader = readers.get(prepared) ?? manifestFor(prepared.input);
  readers.set(prepared, reader);
  return reader(own, accountVars(prepared, word));
}

/**
 * Reads the files that a rollout needs. Throws `Failure`: `conflict` if the manifest or the list of accounts has
 * changed, or `usage` if a secret variable is missing.
 */
export async function prepareRollout(
  context: Context,
  rollout: Rollout,
  given: {
    readonly var: readonly string[];
    readonly allowFiles: readonly string[];
    /** True for `rollout resume`. */
    readonly resumed?: boolean;
  },
): Promise<Prepared> {
  const { id, options, inputs, what } = rollout;
  await refuseOtherOwner(context, rollout);
  const kept = savedInput(`Rollout ${id}`, options, given.var);
  const overwrite = options.overwrite === true;
  if (what === 'undo') return { input: { ...kept, overwrite }, vars: new Map() };
  const input: RolloutInput = {
    ...kept,
    overwrite,
    wait: typeof options.wait === 'string' ? options.wait : undefined,
    onError: options.onError === 'continue' ? 'continue' : undefined,
    file: resolveRunFiles(context, kept.file, options),
    allowFiles:
      given.allowFiles.length > 0 ? given.allowFiles : resolveRunFiles(context, kept.allowFiles, options),
  };
  const vars = await readAccountVars(context, options);
  const [first] = vars.keys();
  const { desired } = await readManifestQuietly(context, input, accountVars({ vars }, first ?? ''));
  refuseChangedFiles(`rollout ${id}`, inputs, desired.inputs, nextStep`rollout start -f FILE`);
  return { input, vars, passwords: passwordsFor(context, id, options, given.resumed === true) };
}

/** Returns a rollout that the signed-in user can resume or reverse. Throws `Failure`: `not_found` or `usage`. */
export async function ownRollout(context: Context, id: string): Promise<Rollout> {
  const rollout = await currentRollout(context, await rolloutOf(context, id));
  await refuseOtherOwner(context, rollout);
  return rollout;
}

/**
 * Throws `Failure` (`usage`) for a rollout of another service, or of an account that is not below the user's account.
 */
async function refuseOtherOwner(
  context: Context,
  { id, origin, ownerId }: Pick<Rollout, 'id' | 'origin' | 'ownerId'>,
): Promise<void> {
  const { profile } = await context.session();
  const hint = 'Choose the profile that started it with --profile.';
  if (profile.baseUrl !== origin)
    throw new Failure(
      'usage',
      `Rollout ${id} belongs to ${origin}, but you are signed in to ${profile.baseUrl}.`,
      {
        hint,
      },
    );
  if (profile.accountId === ownerId) return;
  const api = await context.api();
  try {
    await api.call({ operation: operationById('accounts.get'), path: { account_id: ownerId } });
  } catch (error) {
    // 404 can also mean that the service shows no accounts, so only 403 is an error.
    if (!(error instanceof Failure) || (error.status !== 403 && error.status !== 404)) throw error;
    if (error.status === 404) return;
    const why = `Rollout ${id} was started by account ${ownerId}, which is not below yours.`;
    throw new Failure('usage', why, { hint, cause: error });
  }
}

/** Opens the passwords file. Only the process that resumes a rollout can write it. */
function passwordsFor(context: Context, id: string, options: JsonObject, resumed: boolean) {
  if (typeof options.generatePasswords !== 'string') return undefined;
  const [file = ''] = resolveRunFiles(context, [options.generatePasswords], options);
  if (resumed) return openGeneratedPasswords(context, file, true);
  throw new Failure(
    'refused',
    `Rollout ${id} writes passwords to ${file} on the machine that started it. Workers cannot run it.`,
  );
}

/** Reads the values of variables from the list of accounts. They may be secret, so the record does not contain them. */
async function readAccountVars(context: Context, options: JsonObject): Promise<Prepared['vars']> {
  if (typeof options.accounts !== 'string') return new Map();
  const [file = ''] = resolveRunFiles(context, [options.accounts], options);
  const listed = await readAccountList(context.host, file);
  return new Map(listed.map(({ label, vars }) => [label, vars]));
}
