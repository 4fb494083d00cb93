import { isObject, textOrUndefined, textsIn, valueAt } from '../../../base/json.ts';
import { blacklistFindings } from '../../../contract/blacklist-findings.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { emergencyProblems } from '../../../contract/emergency-problems.ts';
import {
  explainMisread,
  explainUndialled,
  isRoutable,
  isUnreadNational,
  normalisedNumber,
  normaliseTyped,
  numberTexts,
  toStoredNumber,
} from '../../../contract/phone-number.ts';
import { createFieldFinding, type Finding } from '../../../engine/callflows/finding.ts';
import { type Callflow, type FlowSet, quoteText } from '../../../engine/callflows/flow-set.ts';

/** Finds settings that prevent emergency calls: callflows, restrictions and dial plans. */
export function emergencyFindings({ objects, targets, emergency }: FlowSet): readonly Finding[] {
  const facts = {
    numbers: emergency,
    flowOf: (id: string) => valueAt(targets.get(id)?.record, 'flow'),
  };
  return objects.flatMap((object) =>
    emergencyProblems(object.resource, object.record, facts).map(({ rule, field, message }) =>
      createFieldFinding(object, field.replaceAll('.', '/'), field)(rule, message),
    ),
  );
}

/** Finds numbers that no call matches, and numbers and patterns that two callflows share. */
export const numberFindings = (set: FlowSet): readonly Finding[] => [
  ...flowNumberFindings(set),
  ...objectNumberFindings(set),
  ...blacklistUseFindings(set),
  ...callerIdFindings(set),
];

/** Finds numbers and patterns with the same stored form in two callflows. */
function flowNumberFindings({ callflows, country }: FlowSet): readonly Finding[] {
  return (['numbers', 'patterns'] as const).flatMap((field) => {
    const owners = new Map<string, Callflow>();
    return callflows.flatMap((callflow) =>
      textsIn(callflow.record[field]).flatMap((text, index) => {
        const found = createFieldFinding(callflow, field, `${field}.${index}`);
        if (field === 'numbers' && text === '')
          return [found('dead-number', 'an empty number, which no call matches')];
        const dead = field === 'numbers' ? whyUndialable(text, country) : undefined;
        if (dead !== undefined) return [found('dead-number', `${quoteText(text)} ${dead}`)];
        const kept = field === 'numbers' ? toStoredNumber(text) : text;
        const owner = owners.get(kept);
        if (owner === undefined) owners.set(kept, callflow);
        if (owner === undefined) return [];
        const whose = owner === callflow ? 'is listed twice' : `also belongs to ${quoteText(owner.name)}`;
        return [found('number-twice', `${kept} ${whose}`)];
      }),
    );
  });
}

/** Finds numbers of users, devices and other objects that cannot be dialed in their stored form. */
const objectNumberFindings = ({ objects, country }: FlowSet): readonly Finding[] =>
  objects
    .filter(({ resource }) => resource !== 'callflows')
    .flatMap((object) =>
      numberTexts(resourceByName(object.resource).schema, object.record).flatMap(({ path, text }) => {
        const dead = text === '' ? undefined : whyUndialable(text, country);
        return dead === undefined
          ? []
          : [
              createFieldFinding(
                object,
                path.replaceAll('.', '/'),
                path,
              )('dead-number', `${quoteText(text)} ${dead}`),
            ];
      }),
    );

/** Finds blacklist entries that match no caller, and blacklists that the account does not use. */
function blacklistUseFindings({ objects, account, whole }: FlowSet): readonly Finding[] {
  const isKnown = account !== undefined && (whole.has('accounts') || account.blacklists !== undefined);
  const named = new Set(textsIn(account?.blacklists));
  return objects
    .filter(({ resource }) => resource === 'blacklists')
    .flatMap((object) => [
      // Problems of these objects are reported when the manifest is read.
      ...(object.problem ? [] : blacklistFindings(object.record)).map(({ field, message }) =>
        createFieldFinding(object, 'numbers', field)('dead-entry', message),
      ),
      ...(isKnown && !named.has(object.id)
        ? [
            createFieldFinding(object, 'numbers')(
              'unused-list',
              'the account does not list this blacklist in "blacklists", so it blocks no callers',
            ),
          ]
        : []),
    ]);
}

/** Returns the end of a sentence that explains why the stored form of a number cannot be dialed. */
function whyUndialable(text: string, country: string | undefined): string | undefined {
  const why = explainUndialled(text);
  if (why !== undefined) return `cannot be dialed: ${why}`;
  const misread = explainMisread(text);
  if (misread !== undefined) return misread;
  if (isUnreadNational(text, country)) return undefined;
  const meant = toStoredNumber(normaliseTyped(text, country));
  return meant === toStoredNumber(text)
    ? undefined
    : `is stored as typed, so no call matches it. Write ${meant}`;
}

/** Consequences of a caller id that belongs to somebody else. */
const callerIds = {
  external: 'so carriers can reject or replace it',
  emergency: 'so emergency centers call back somebody else',
} as const;

/** Finds caller ids that are no numbers of the account. Finds none if no number is known. */
function callerIdFindings({ objects }: FlowSet): readonly Finding[] {
  const owned = new Set(
    objects.flatMap(({ resource, record, name }) => {
      if (resource === 'numbers') return [normalisedNumber(textOrUndefined(record.id) ?? name)];
      return resource === 'ports' && isObject(record.numbers)
        ? Object.keys(record.numbers).map(normalisedNumber)
        : [];
    }),
  );
  if (owned.size === 0) return [];
  return objects.flatMap((object) =>
    (['external', 'emergency'] as const).flatMap((kind) => {
      const field = `caller_id.${kind}.number`;
      const text = textOrUndefined(valueAt(object.record, field)) ?? '';
      const hasOwn = ['users', 'devices', 'accounts'].includes(object.resource);
      if (!hasOwn || !isRoutable(text) || owned.has(normalisedNumber(text))) return [];
      const from = object.problem ? 'in the numbers of the manifest' : 'a number of the account';
      const message = `${quoteText(text)} is not ${from}, ${callerIds[kind]}`;
      return [createFieldFinding(object, field.replaceAll('.', '/'), field)('foreign-caller-id', message)];
    }),
  );
}
