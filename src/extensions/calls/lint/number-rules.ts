import { textsIn, valueAt } from '../../../base/json.ts';
import { blacklistFindings } from '../../../contract/blacklist-findings.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { emergencyProblems } from '../../../contract/emergency-problems.ts';
import {
  isUnreadNational,
  keptNumber,
  meantNumber,
  misreadBecause,
  numberTexts,
  undialledBecause,
} from '../../../contract/phone-number.ts';
import { type Finding, foundIn } from '../../../engine/callflows/finding.ts';
import { type Callflow, type FlowSet, quotedText } from '../../../engine/callflows/flow-set.ts';

/** Everything that keeps somebody from calling for help: callflows, and restrictions and dial plans of their parties. */
export function emergencyFindings({ objects, targets, emergency }: FlowSet): readonly Finding[] {
  const facts = {
    numbers: emergency,
    flowOf: (id: string) => valueAt(targets.get(id)?.record, 'flow'),
  };
  return objects.flatMap((object) =>
    emergencyProblems(object.resource, object.record, facts).map(({ rule, field, message }) =>
      foundIn(object, field.replaceAll('.', '/'), field)(rule, message),
    ),
  );
}

/** Numbers that no call matches, and numbers and patterns that lead to two callflows. */
export const numberFindings = (set: FlowSet): readonly Finding[] => [
  ...numbersOfFlows(set),
  ...numbersOfObjects(set),
  ...listFindings(set),
];

/** Numbers and patterns that lead to two callflows, in the form in which the service keeps them. */
function numbersOfFlows({ callflows, country }: FlowSet): readonly Finding[] {
  return (['numbers', 'patterns'] as const).flatMap((field) => {
    const owners = new Map<string, Callflow>();
    return callflows.flatMap((callflow) =>
      textsIn(callflow.record[field]).flatMap((text, index) => {
        const found = foundIn(callflow, field, `${field}.${index}`);
        if (field === 'numbers' && text === '')
          return [found('dead-number', 'an empty number, which no call matches')];
        const dead = field === 'numbers' ? deadBecause(text, country) : undefined;
        if (dead !== undefined) return [found('dead-number', `${quotedText(text)} ${dead}`)];
        const kept = field === 'numbers' ? keptNumber(text) : text;
        const owner = owners.get(kept);
        if (owner === undefined) owners.set(kept, callflow);
        if (owner === undefined) return [];
        const whose = owner === callflow ? 'stands here twice' : `also belongs to ${quotedText(owner.name)}`;
        return [found('number-twice', `${kept} ${whose}`)];
      }),
    );
  });
}

/** Numbers of users, devices and other objects that cannot be dialed as they are kept. */
const numbersOfObjects = ({ objects, country }: FlowSet): readonly Finding[] =>
  objects
    .filter(({ resource }) => resource !== 'callflows')
    .flatMap((object) =>
      numberTexts(resourceByName(object.resource).schema, object.record).flatMap(({ path, text }) => {
        const dead = text === '' ? undefined : deadBecause(text, country);
        return dead === undefined
          ? []
          : [foundIn(object, path.replaceAll('.', '/'), path)('dead-number', `${quotedText(text)} ${dead}`)];
      }),
    );

/** Blacklists without effect: entries that match no caller, and lists that the account does not name. */
function listFindings({ objects, account, whole }: FlowSet): readonly Finding[] {
  const isKnown = account !== undefined && (whole.has('accounts') || account.blacklists !== undefined);
  const named = new Set(textsIn(account?.blacklists));
  return objects
    .filter(({ resource }) => resource === 'blacklists')
    .flatMap((object) => [
      // Reading a manifest reports these.
      ...(object.problem ? [] : blacklistFindings(object.record)).map(({ field, message }) =>
        foundIn(object, 'numbers', field)('dead-entry', message),
      ),
      ...(isKnown && !named.has(object.id)
        ? [
            foundIn(object, 'numbers')(
              'unused-list',
              'the account does not name this list in "blacklists": it refuses no caller',
            ),
          ]
        : []),
    ]);
}

/** Returns why a number as it is kept reaches nobody, to follow the number. */
function deadBecause(text: string, country: string | undefined): string | undefined {
  const why = undialledBecause(text);
  if (why !== undefined) return `cannot be dialed: ${why}`;
  const misread = misreadBecause(text);
  if (misread !== undefined) return misread;
  if (isUnreadNational(text, country)) return undefined;
  const meant = keptNumber(meantNumber(text, country));
  return meant === keptNumber(text) ? undefined : `is kept as typed: no call matches it. Write ${meant}`;
}
