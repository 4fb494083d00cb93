import { valueAt } from '../../base/json.ts';
import { anyEmergencyNumbers, emergencyNumbers } from '../../contract/emergency-numbers.ts';
import { emergencyProblems } from '../../contract/emergency-problems.ts';
import {
  countryOfAccount,
  isUnreadNational,
  numbersOfCountry,
  undialledNumbers,
  unreadBecause,
  withDialledNumbers,
} from '../../contract/phone-number.ts';
import type { Problem } from '../input/document.ts';
import { type DesiredAccount, type DesiredObject, referencesIn } from './desired.ts';
import { kindByName } from './kinds.ts';

/** Key of an object that may take emergency numbers or bar emergency calls: somebody looked at it. */
export const allowsShadow = 'allow_emergency_shadow';

/**
 * Reads the numbers of an account as they are sent: in E.164 if the country is known. A country that is not named is that
 * of the account's own number, if the manifest has it.
 */
export function withNumbersRead(account: DesiredAccount): DesiredAccount {
  const settings = account.objects.find(({ kind }) => kind === 'account_settings')?.fields;
  const country = account.country ?? countryOfAccount(settings);
  return {
    ...account,
    country,
    objects: account.objects.map((object) => {
      const fields = withDialledNumbers(kindByName(object.kind).schema, object.fields, country);
      return { ...object, fields };
    }),
  };
}

/** Returns what is wrong with the numbers of each object: they cannot be dialed, or keep somebody from calling for help. */
export function numberProblems({
  country,
  objects,
}: DesiredAccount): readonly (readonly [DesiredObject, readonly Problem[]])[] {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const facts = {
    numbers: emergencyNumbers(country),
    flowOf: (id: string) => valueAt(byKey.get(referencesIn(id)[0] ?? '')?.fields, 'flow'),
  };
  return objects.map((object) => {
    const { kind, name, fields, confidential } = object;
    const { resource, schema, keys } = kindByName(kind);
    const record = keys.includes('id') ? { id: name, ...fields } : fields;
    return [
      object,
      [
        ...(object.allowsShadow ? [] : emergencyProblems(resource.name, record, facts)).map(
          ({ rule, field, message }) =>
            object.problem(field, `${message}. To allow it: ${allowsShadow}: true (${rule})`),
        ),
        ...undialledNumbers(schema, fields)
          .filter(({ path }) => !confidential.includes(path))
          .map(({ path, message }) => object.problem(path, `${object.key}: ${message}`)),
      ],
    ];
  });
}

/** True if the country of the account decides how a number of the manifest is read, or whether it is for emergencies. */
export const needsCountry = ({ objects }: DesiredAccount): boolean =>
  objects.some(({ kind, fields }) => {
    const { resource, schema } = kindByName(kind);
    return (
      numbersOfCountry(schema, fields).length > 0 ||
      emergencyProblems(resource.name, fields, { numbers: anyEmergencyNumbers }).length > 0
    );
  });

/** Returns the national numbers that stay as typed, with their objects. Values from outside are left out. */
export const unreadTexts = ({ country, objects }: DesiredAccount) =>
  objects.flatMap((object) =>
    numbersOfCountry(kindByName(object.kind).schema, object.fields).flatMap(({ path, text }) =>
      isUnreadNational(text, country) && !object.confidential.includes(path) ? [{ object, path, text }] : [],
    ),
  );

/** Returns a warning for each national number that stays as typed, with its place. */
export const unreadNumbers = (account: DesiredAccount): readonly Problem[] =>
  unreadTexts(account).map(({ object, path, text }) =>
    object.problem(path, unreadBecause(text, account.country)),
  );
