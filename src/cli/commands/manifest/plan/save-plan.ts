import { resolve } from 'node:path';
import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textsIn } from '../../../../base/json.ts';
import { readOrFail, refuseSpecialFile, systemReason } from '../../../../base/read-errors.ts';
import {
  createSecretTest,
  isSavedPlan,
  readSavedPlan,
  type SavedPlan,
  toSavedPlan,
} from '../../../../engine/manifest/saved-plan.ts';
import type { WrittenOption } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { manifestOptions, planOptions } from '../../manifest-options.ts';
import { noPlanningOptions, type Planning, type PlanningInput } from './planning.ts';
import { neededConfirmations } from './refusals.ts';

/** Throws `Failure` if a plan cannot be saved to the file. Called before the account is read. */
export async function refuseSaving(
  { host, state }: Context,
  { file }: PlanningInput,
  out: string,
): Promise<void> {
  if (file.includes('-'))
    throw new Failure('usage', 'A plan for standard input cannot be saved: apply could not read it again.', {
      hint: 'Write the manifest to a file and name that with -f.',
    });
  refuseSpecialFile(host, resolve(host.cwd, out), out, '--out');
  const there = await (await state()).plans.read(out);
  if (there !== undefined && there !== '' && !isSavedPlan(there))
    throw new Failure('refused', `${out} exists and is not a plan. Nothing was written.`, {
      hint: 'Name another file with --out.',
    });
}

/** Saves a plan to a file (0600) for `telctl apply FILE`. */
export async function savePlan(
  { host, state }: Context,
  planning: Planning,
  input: PlanningInput,
  out: string,
): Promise<void> {
  const salt = Buffer.from(host.random.bytes(16)).toString('hex');
  const accounts = planning.accounts.map((account) => ({
    ...account,
    unasked: neededConfirmations(account),
  }));
  const saved = toSavedPlan({ ...planning, accounts }, { salt, options: savedOptions(planning, input) });
  await writePlanFile({ state }, out, saved);
}

export async function writePlanFile(
  { state }: Pick<Context, 'state'>,
  out: string,
  content: object,
): Promise<void> {
  try {
    await (await state()).plans.write(out, `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const why = systemReason(error) ?? error.message;
    throw new Failure('failed', `The plan could not be written to ${out} (${why}).`, { cause: error });
  }
}

/** Returns the options that make the same plan again, without values of secret variables. */
export function savedOptions({ manifest }: Pick<Planning, 'manifest'>, input: PlanningInput): JsonObject {
  const isSecret = input.var.length === 0 ? () => false : createSecretTest(manifest.desired);
  const vars = input.var.map((given): readonly [string, string | null] => {
    const at = given.indexOf('=');
    const value = given.slice(at + 1);
    return [given.slice(0, at), isSecret(value) ? null : value];
  });
  // Only `vars` contains values of variables, without the secret ones.
  const said = Object.entries(input).filter(
    ([key, value]) => key !== 'var' && Object.hasOwn(noPlanningOptions, key) && value !== undefined,
  );
  return { ...Object.fromEntries(said), vars: Object.fromEntries(vars) };
}

/**
 * Reads a plan file and the input that makes its plan again. `given`: new variables and readable folders, because a
 * plan from someone else must not choose folders. Throws `usage` for a missing file or variable, `invalid` if the
 * file is not a plan, `conflict` if a source is missing.
 */
export async function openSavedPlan(
  { host, state }: Context,
  name: string,
  given: Pick<PlanningInput, 'var' | 'allowFiles'>,
): Promise<{ readonly saved: SavedPlan; readonly input: PlanningInput }> {
  const saved = await readSavedPlan(name, await readPlanFile({ state }, name));
  const input = { ...savedInput(name, saved.options, given.var), allowFiles: given.allowFiles };
  const gone = input.file.find((file) =>
    readOrFail(file, () => host.files.kindOf(resolve(host.cwd, file)) === undefined),
  );
  if (gone !== undefined)
    throw new Failure('conflict', `${name} was made from ${gone}, which does not exist. Nothing was sent.`, {
      hint: createHint`Repeat in the folder where the plan was made, or make it again: ${nextStep`plan -f FILE --out PLAN`}`,
    });
  return { saved, input };
}

/** Throws `usage` if the plan file is missing. */
export async function readPlanFile({ state }: Pick<Context, 'state'>, name: string): Promise<string> {
  const there = await (await state()).plans.read(name);
  if (there !== undefined) return there;
  throw new Failure('usage', `Plan ${name} not found.`, {
    hint: createHint`Make one with: ${nextStep`plan -f FILE --out PLAN`}`,
  });
}

/** Restores the input that `savedOptions` stored in `name`. Throws `usage` if a secret variable is missing. */
export function savedInput(name: string, options: JsonObject, given: readonly string[]): PlanningInput {
  const kept = isObject(options.vars) ? options.vars : {};
  const names = new Set(given.map((each) => each.slice(0, Math.max(0, each.indexOf('=')))));
  const vars = Object.entries(kept).flatMap(([variable, value]) => {
    if (names.has(variable)) return [];
    if (typeof value === 'string') return [`${variable}=${value}`];
    throw new Failure(
      'usage',
      `${name} does not contain the variable ${variable}, because its value is secret.`,
      {
        hint: `Pass it again: --var ${variable}=VALUE`,
      },
    );
  });
  const said = Object.entries(specs).flatMap(([key, spec]) => {
    const value = options[key];
    return fitsOption(spec, value) ? [[key, value] as const] : [];
  });
  return { ...noPlanningOptions, ...Object.fromEntries(said), var: [...vars, ...given] };
}

const specs: Readonly<Record<string, WrittenOption>> = {
  ...manifestOptions,
  ...planOptions,
};

const fitsOption = ({ value, repeat, type }: WrittenOption, kept: Json | undefined): boolean =>
  repeat
    ? Array.isArray(kept) && textsIn(kept).length === kept.length
    : typeof kept === (value === undefined ? 'boolean' : type === 'integer' ? 'number' : 'string');
