import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, mapTexts, textsIn } from '../../../base/json.ts';
import { splitCommas } from '../../../base/wording.ts';
import { kindsNamed } from '../../../contract/callflow-modules.ts';
import {
  flowTargets,
  type RecordReference,
  referencesOfRecord,
} from '../../../contract/record-references.ts';
import { callflows } from '../../../contract/resources/callflows.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { targetName } from '../../../engine/callflows/flow-set.ts';
import { placesAt } from '../../../engine/input/document.ts';
import type { Section } from '../../../engine/manifest/account-reader.ts';
import { desiredObject } from '../../../engine/manifest/desired-object.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { toSendable } from '../../../engine/manifest/sendable.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { findAccount } from '../bulk/choose-accounts.ts';
import { changeResult } from '../change.ts';
import { labelOf, nameOf } from '../labels.ts';
import { applyJob, planObjects, refuseChanges, requireUnfinishedRun } from '../manifest/apply/apply-job.ts';
import { applyResult } from '../manifest/apply/apply-report.ts';
import { noPlanningOptions } from '../manifest/plan/planning.ts';
import { getRecord, operationFor } from '../records/find-named.ts';
import { readAccountSections } from '../records/read-account.ts';
import type { callflowCopyOptions, namedArguments } from './commands.ts';

/** Kinds of records that a flow can refer to. Their counterparts in another account are looked up. */
export const referredKinds = [...flowTargets];

export async function copyCallflow(
  input: InputOf<typeof callflowCopyOptions, typeof namedArguments>,
  context: Context,
): Promise<Result> {
  const here = await context.accountId();
  const there = await findAccount(context, input.toAccount);
  const numbers = input.numbers.flatMap(splitCommas);
  if (there === here) checkSameAccount(input.toName, numbers);
  await requireUnfinishedRun(context, { resume: input.resume, set: input.set ?? 'callflows copy' });
  const record = await getRecord(context, callflows, input.id);
  const copy =
    there === here ? copyWithinAccount(context, record) : await copyToAccount(context, record, there);
  const data = {
    ...copy,
    ...(input.toName === undefined ? {} : { name: input.toName }),
    ...(numbers.length === 0 ? {} : { numbers }),
  };
  await context.guard({ operation: operationFor(callflows, 'create'), path: { account_id: there }, data });
  const where = there === here ? '' : ` in ${input.toAccount ?? there}`;
  const object = desiredObject('callflows', nameOf(callflows, data) ?? '', data, placesAt('the copy'));
  const planInput = { ...noPlanningOptions, setName: input.set, allowUnknownFields: true };
  let created: JsonObject | undefined;
  return applyJob(context, {
    planInput,
    plan: (opening) =>
      planObjects(
        context,
        // The guard has already asked about emergency numbers.
        { account: there, objects: [{ ...object, allowsShadow: true }], command: 'callflows copy' },
        planInput,
        { ...opening, refuse: refuseChanges },
      ),
    onResult(_result, _over, _total, returned) {
      created = returned;
    },
    end(reports) {
      const [result] = reports.flatMap(({ results }) => results);
      const { failure = result?.failure } = applyResult(reports, createHint`Repeat the command.`);
      if (failure) throw result?.failure ?? failure;
      const label = labelOf(callflows, { ...data, ...created });
      if (!result) return changeResult(callflows, `The account already has this ${label}.`, data);
      const copied = `${label}${where}  ${result.id}`;
      return changeResult(callflows, `Copied ${labelOf(callflows, record)} to ${copied}`, created ?? data);
    },
  });
}

function checkSameAccount(name: string | undefined, numbers: readonly string[]): void {
  if (name === undefined)
    throw new Failure('usage', 'A copy in the same account needs a new name: --to-name NAME.');
  if (numbers.length === 0)
    throw new Failure(
      'usage',
      'Numbers are unique in an account. Pass new numbers for the copy with --numbers.',
      {
        hint: nextStep`callflows copy 'Main line' --to-name 'Second line' --numbers +15551230009`,
      },
    );
}

/** Prepares a copy in the same account, where ids stay valid. The original keeps the numbers and patterns. */
function copyWithinAccount(context: Context, record: JsonObject): JsonObject {
  const { patterns, featurecode, ...rest } = toSendable(kindByName('callflows'), record);
  const left = [
    ...textsIn(patterns).map((pattern) => `pattern ${pattern}`),
    ...(featurecode === undefined ? [] : ['feature code']),
  ];
  if (left.length > 0)
    context.notices.warn(`Not copied, because it must be unique in an account: ${left.join(', ')}`);
  return rest;
}

async function copyToAccount(context: Context, record: JsonObject, there: string): Promise<JsonObject> {
  const [own, other] = await Promise.all([
    readAccountSections(context, { whole: [], listed: referredKinds }),
    readAccountSections(context, { whole: [], listed: referredKinds }, { accountId: there }),
  ]);
  const mapping = mapReferences(record, own.sections, other.sections);
  refuseUnmapped(mapping);
  for (const { path, word, id } of mapping.unknown)
    context.notices.warn(`${path}: the ${word} ${id} is not valid in the other account; set it there`);
  return mapTexts(toSendable(kindByName('callflows'), record), (text) => mapping.ids.get(text) ?? text);
}

function refuseUnmapped({ missing, unclear: ambiguous }: ReturnType<typeof mapReferences>): void {
  const lines = [
    ...missing.map(
      ({ path, word, name }) => `${path}: ${word} ${JSON.stringify(name)} is not in the other account`,
    ),
    ...ambiguous.map(
      ({ path, word, name, among }) =>
        `${path}: the other account has ${among.length} records for ${word} ${JSON.stringify(name)}: ${among.join(', ')}`,
    ),
  ];
  if (lines.length === 0) return;
  throw new Failure(missing.length > 0 ? 'not_found' : 'conflict', [...lines, 'Nothing was sent.'], {
    hint: 'Create them there first, or export the callflow and change its references.',
    details: {
      missing: missing.map(({ path, word, name }) => ({ path, kind: word, name })),
      ambiguous: ambiguous.map(({ path, word, name, among }) => ({ path, kind: word, name, ids: among })),
    },
  });
}

type Named = RecordReference & { readonly name: string };

/**
 * Looks up the references of a callflow by name in another account. Returns the ids there, missing and ambiguous
 * names, and references that cannot be looked up, such as devices.
 */
function mapReferences(record: JsonObject, here: readonly Section[], there: readonly Section[]) {
  const ids = new Map<string, string>();
  const missing: Named[] = [];
  const ambiguous: (Named & { readonly among: readonly string[] })[] = [];
  const unknown: RecordReference[] = [];
  for (const reference of referencesOfRecord(callflows, record)) {
    const { id } = reference;
    const [first, ...others] = kindsNamed(reference);
    if (first === undefined) {
      unknown.push(reference);
      continue;
    }
    const findRecord = (kind: ResourceName) => sectionRecords(here, kind).find((each) => each.id === id);
    const to = others.find((kind) => findRecord(kind)) ?? first;
    const source = findRecord(to);
    const name = source && targetName(to, source);
    if (name === undefined) {
      missing.push({ ...reference, name: id });
      continue;
    }
    const same = sectionRecords(there, to).filter((each) => targetName(to, each) === name);
    const found = same.flatMap((each) => (typeof each.id === 'string' ? [each.id] : []));
    const [only, other] = found;
    if (only === undefined) missing.push({ ...reference, name });
    else if (other !== undefined) ambiguous.push({ ...reference, name, among: found });
    else ids.set(id, only);
  }
  return { ids, missing, unclear: ambiguous, unknown };
}

const sectionRecords = (sections: readonly Section[], resource: string | undefined): readonly JsonObject[] =>
  sections.find(({ kind }) => kind.name === resource)?.records ?? [];
