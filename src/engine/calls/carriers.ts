import { isObject, type JsonObject } from '../../base/json.ts';
import { compiled } from '../../contract/call-patterns.ts';
import type { Route } from './outcome.ts';
import { classOf } from './parties.ts';
import { amount, calledName, flagOf, idOf, objects, said, texts } from './records.ts';

/** A carrier that can take a call, and what it is asked to dial. */
export interface CarrierChoice {
  readonly id: string;
  readonly name: string;
  readonly dials: string;
  readonly isEmergency: boolean;
  readonly isGlobal: boolean;
  /** The carrier is assumed, since no carriers are known. */
  readonly isAssumed?: true;
}

const usualWeight = 3;

/** Carriers that can take a number, in the order in which they are tried. */
export function carriersFor(
  { records, came }: Route,
  number: string,
  how: { readonly isGlobal: boolean; readonly flags: readonly string[] },
): readonly CarrierChoice[] {
  const { account } = records;
  const kind = classOf(number);
  const own = how.isGlobal ? [] : account.of('carriers');
  if (account.assumesCarrier && own.length === 0)
    return [
      {
        id: 'assumed',
        name: 'assumed carrier',
        dials: number,
        isEmergency: kind === 'emergency',
        isGlobal: how.isGlobal,
        isAssumed: true,
      },
    ];
  const all = account
    .of(how.isGlobal ? 'system_carriers' : 'carriers')
    .filter((each) => flagOf(each.enabled, true) && hasFlags(each, how.flags));
  const classified = all.filter(
    ({ classifiers }) => isObject(classifiers) && Object.hasOwn(classifiers, kind),
  );
  const usable =
    classified.length > 0
      ? classified.filter((each) => flagOf(classOfCarrier(each, kind)?.enabled, true))
      : all.filter(({ classifiers }) => !isObject(classifiers) || Object.keys(classifiers).length === 0);
  return usable
    .flatMap((each) => {
      const dials = dialledBy(each, number, classOfCarrier(each, kind));
      if (dials === undefined || !takesCaller(each, came.number ?? '')) return [];
      const isEmergency =
        flagOf(each.emergency, false) || flagOf(classOfCarrier(each, kind)?.emergency, false);
      const gateways = objects(each.gateways).filter((gateway) => flagOf(gateway.enabled, true));
      const choice: CarrierChoice = {
        id: idOf(each),
        name: calledName('carriers', each),
        dials,
        isEmergency,
        isGlobal: how.isGlobal,
      };
      const weight = amount(each.weight_cost, usualWeight);
      const count = Array.isArray(each.gateways) ? gateways.length : 1;
      return Array.from({ length: count }, () => ({ choice, weight }));
    })
    .toSorted((one, other) => one.weight - other.weight)
    .map(({ choice }) => choice);
}

const classOfCarrier = ({ classifiers }: JsonObject, kind: string): JsonObject | undefined => {
  const found = isObject(classifiers) ? classifiers[kind] : undefined;
  return isObject(found) ? found : undefined;
};

/** Every flag of the call must be one of the carrier's. */
function hasFlags(carrier: JsonObject, flags: readonly string[]): boolean {
  if (flagOf(carrier.ignore_flags, false)) return true;
  if (flagOf(carrier.require_flags, false) && flags.length === 0) return false;
  const own = texts(carrier.flags);
  return flags.every((flag) => own.includes(flag));
}

/** What the first rule that fits makes of a number; `undefined` where no rule fits. */
function dialledBy(carrier: JsonObject, number: string, byClass: JsonObject | undefined): string | undefined {
  const rules = byClass ? [said(byClass.regex) ?? '.*'] : texts(carrier.rules);
  for (const rule of rules) {
    const groups = compiled(rule)?.groups(number);
    if (groups === undefined) continue;
    const longest = groups.reduce((best, group) => (group.length > best.length ? group : best), '');
    return `${said(byClass?.prefix) ?? ''}${longest === '' ? number : longest}${said(byClass?.suffix) ?? ''}`;
  }
  return undefined;
}

const takesCaller = (carrier: JsonObject, number: string): boolean => {
  const rules = texts(carrier.cid_rules);
  return rules.length === 0 || rules.some((rule) => compiled(rule)?.test(number) ?? false);
};
