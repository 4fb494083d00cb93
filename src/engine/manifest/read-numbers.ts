import { valueAt } from '../../base/json.ts';
import { anyEmergencyNumbers, emergencyNumbers } from '../../contract/emergency-numbers.ts';
import { emergencyProblems } from '../../contract/emergency-problems.ts';
import {
  countryOfAccount,
  explainUnread,
  isUnreadNational,
  numbersOfCountry,
  undialledNumbers,
  withDialledNumbers,
} from '../../contract/phone-number.ts';
import type { Problem } from '../input/document.ts';
import { type DesiredAccount, type DesiredObject, referencesIn } from './desired.ts';
import { kindByName } from './kinds.ts';

/** Allows an object to use emergency numbers or to block emergency calls. */
export const allowsShadow = 'allow_emergency_shadow';

/** The default country is that of the account's own number in the manifest. */
export function convertNumbers(account: DesiredAccount): DesiredAccount {
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

/** Returns numbers that cannot be dialed, and blocked emergency calls. */
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

export const needsCountry = ({ objects }: DesiredAccount): boolean =>
  objects.some(({ kind, fields }) => {
    const { resource, schema } = kindByName(kind);
    return (
      numbersOfCountry(schema, fields).length > 0 ||
      emergencyProblems(resource.name, fields, { numbers: anyEmergencyNumbers }).length > 0
    );
  });

export const unreadNationalNumbers = ({ country, objects }: DesiredAccount) =>
  objects.flatMap((object) =>
    numbersOfCountry(kindByName(object.kind).schema, object.fields).flatMap(({ path, text }) =>
      isUnreadNational(text, country) && !object.confidential.includes(path) ? [{ object, path, text }] : [],
    ),
  );

/** Returns a warning for each national number that is sent as typed. */
export const unreadNumberWarnings = (account: DesiredAccount): readonly Problem[] =>
  unreadNationalNumbers(account).map(({ object, path, text }) =>
    object.problem(path, explainUnread(text, account.country)),
  );
