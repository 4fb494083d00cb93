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
import { presentRollout, rolloutOf } from './report.ts';

export type RolloutInput = PlanningInput & {
  readonly overwrite?: boolean | undefined;
  readonly wait?: string | undefined;
  readonly onError?: 'stop' | 'continue' | undefined;
  /** File of the passwords that are made for new users and devices. */
  readonly generatePasswords?: string | undefined;
};

/** What a process needs to work on a rollout: its input, and values of variables by the word of the account. */
export interface Prepared {
  readonly input: RolloutInput;
  readonly vars: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly passwords?: GeneratedPasswords | undefined;
  /** Run between waves by the process whose command line gave it. */
  readonly check?: WaveCheck | undefined;
  readonly notify?: Notify | undefined;
}

const none: ReadonlyMap<string, string> = new Map();

const varsIn = ({ vars }: Pick<Prepared, 'vars'>, word: string) => ({ vars: vars.get(word) ?? none });

export const inputOfAccount = (prepared: Prepared, word: string): RolloutInput =>
  inputWithVars(prepared.input, varsIn(prepared, word));

const readers = new WeakMap<Prepared, ReturnType<typeof manifestFor>>();

/** The manifest for one account, read once for all that have no values of their own. */
export function manifestOf(prepared: Prepared, own: Context, word: string) {
  const reader = readers.get(prepared) ?? manifestFor(prepared.input);
  readers.set(prepared, reader);
  return reader(own, varsIn(prepared, word));
}

/**
 * Reads what a rollout needs on this machine. Throws `Failure`: `conflict` where the manifest or the list of accounts
 * is not the one that the rollout was begun with, `usage` where a secret variable is to be given.
 */
export async function preparedAccounts(
  context: Context,
  rollout: Rollout,
  given: {
    readonly var: readonly string[];
    readonly allowFiles: readonly string[];
    /** Somebody takes the rollout up again by its number. */
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
  const vars = await varsOf(context, options);
  const [first] = vars.keys();
  const { desired } = await readManifestQuietly(context, input, varsIn({ vars }, first ?? ''));
  refuseChangedFiles(`rollout ${id}`, inputs, desired.inputs, nextStep`rollout start -f FILE`);
  return { input, vars, passwords: passwordsFor(context, id, options, given.resumed === true) };
}

/** A rollout that whoever is signed in may go on with or reverse. Throws `Failure`: `not_found`, `usage`. */
export async function ownRollout(context: Context, id: string): Promise<Rollout> {
  const rollout = await presentRollout(context, await rolloutOf(context, id));
  await refuseOtherOwner(context, rollout);
  return rollout;
}

/** Throws `Failure` of kind `usage` for a rollout of another service, or of an account not below. */
async function refuseOtherOwner(
  context: Context,
  { id, origin, ownerId }: Pick<Rollout, 'id' | 'origin' | 'ownerId'>,
): Promise<void> {
  const { profile } = await context.session();
  const hint = 'Choose the profile that it was begun with: --profile.';
  if (profile.baseUrl !== origin)
    throw new Failure('usage', `Rollout ${id} is about ${origin}; you are signed in to ${profile.baseUrl}.`, {
      hint,
    });
  if (profile.accountId === ownerId) return;
  const api = await context.api();
  try {
    await api.call({ operation: operationById('accounts.get'), path: { account_id: ownerId } });
  } catch (error) {
    // A service that shows no accounts, or no longer has this one, does not tell; one that forbids it does.
    if (!(error instanceof Failure) || (error.status !== 403 && error.status !== 404)) throw error;
    if (error.status === 404) return;
    const why = `Rollout ${id} was begun as the account ${ownerId}, which is not below yours.`;
    throw new Failure('usage', why, { hint, cause: error });
  }
}

/** Gives passwords in a rollout that is taken up again: one process alone writes their file. */
function passwordsFor(context: Context, id: string, options: JsonObject, resumed: boolean) {
  if (typeof options.generatePasswords !== 'string') return undefined;
  const [file = ''] = resolveRunFiles(context, [options.generatePasswords], options);
  if (resumed) return openGeneratedPasswords(context, file, true);
  throw new Failure(
    'refused',
    `Rollout ${id} writes passwords to ${file}, where it was started: no worker takes it.`,
  );
}

/** Values of variables from the list of accounts, which the record does not hold: they may be secret. */
async function varsOf(context: Context, options: JsonObject): Promise<Prepared['vars']> {
  if (typeof options.accounts !== 'string') return new Map();
  const [file = ''] = resolveRunFiles(context, [options.accounts], options);
  const listed = await readAccountList(context.host, file);
  return new Map(listed.map(({ word, vars }) => [word, vars]));
}
