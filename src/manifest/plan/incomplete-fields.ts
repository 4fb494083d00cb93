import { missingBeside } from '../../contract/schema.ts';
import { resolved } from '../../contract/schema-node.ts';
import type { Problem } from '../../input/problems.ts';
import type { DesiredAccount } from '../desired/desired.ts';
import { kindByName } from '../kinds.ts';
import type { Plan, Step } from '../plan.ts';

/**
 * Returns what compatible services would refuse of a plan because one field is sent without another that goes with
 * it: a new user, or a new username, without the password (Conventions, users). Only the plan knows what is new.
 */
export function allOrNoneProblems({ objects }: DesiredAccount, { steps }: Plan): readonly Problem[] {
  const lacking = new Map(steps.flatMap((step) => lackingOf(step).map((each) => [step.key, each] as const)));
  if (lacking.size === 0) return [];
  return objects.flatMap((object) => {
    const { field, beside, isNew } = lacking.get(object.key) ?? {};
    if (field === undefined || beside === undefined) return [];
    const unset = object.unset.includes(field) ? ' (not set)' : '';
    const where = isNew ? `${object.key} is new and has` : `${object.key} gets a new ${beside} and has`;
    return [
      object.problem(
        beside,
        `${where} no "${field}"${unset} beside "${beside}"; a KAZOO-compatible service would refuse the request`,
      ),
    ];
  });
}

interface Lacking {
  readonly field: string;
  readonly beside: string;
  readonly isNew: boolean;
}

function lackingOf({ kind: name, by, send, changes, completes }: Step): readonly Lacking[] {
  if (send === undefined || completes !== undefined) return [];
  const { resource, schema } = kindByName(name);
  if (by === 'create') return missingBeside(resource, send).map((each) => ({ ...each, isNew: true }));
  const { properties = {} } = resolved(schema, schema);
  const changed = new Set(changes.map(({ path }) => path));
  return (resource.together ?? []).flatMap(({ fields }) => {
    const beside = fields.find((field) => changed.has(field));
    const field = fields.find((each) => properties[each]?.writeOnly === true && send[each] === undefined);
    return beside === undefined || field === undefined ? [] : [{ field, beside, isNew: false }];
  });
}
