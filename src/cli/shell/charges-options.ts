import { decimal } from '../../base/decimal.ts';
import type { Command, OptionSpecs } from '../command/command.ts';
import type { Consent } from '../command/context.ts';
import { checkRelations, optionValues } from './input-for.ts';
import type { ParsedOptions } from './parse-options.ts';

export const unknownFieldsFlag = 'allow-unknown-fields';

const fieldsOptions = {
  allowUnknownFields: {
    flag: unknownFieldsFlag,
    doc: 'Accept field names that only this service knows',
  },
} as const;

export const templateFlag = 'template';

const templateOptions = {
  template: {
    flag: templateFlag,
    value: 'TEXT',
    doc: 'A line for each record: {username} <{email}>, JMESPath in braces',
  },
} as const;

/** The option of results as lines, for every command that has no other option of that name. */
export const templateOptionsOf = ({ options }: Command): OptionSpecs =>
  Object.values(options).some(({ flag }) => flag === templateFlag) ? {} : templateOptions;

/** The option that lets `--fields` and `--filter` name anything; where a command takes fields, its own says the same of those. */
export const fieldsOptionsOf = ({ options, effect }: Command): OptionSpecs =>
  effect === 'local' || Object.values(options).some(({ flag }) => flag === unknownFieldsFlag)
    ? {}
    : fieldsOptions;

/** Options by which a run says beforehand which charges it accepts. */
export const chargesOptions = {
  acceptCharges: {
    flag: 'accept-charges',
    doc: 'Accept whatever charges the run adds',
    excludes: ['accept-charges-up-to'],
  },
  acceptChargesUpTo: {
    flag: 'accept-charges-up-to',
    value: 'AMOUNT',
    type: 'amount',
    doc: 'Accept charges if every item is understood and the whole run adds at most this amount: what is due now and what each bill adds',
  },
} as const;

const writing = new Set<Command['effect']>(['write', 'charges', 'destructive']);

/** The options about charges, for every command that changes something: any change may be priced. */
export const chargesOptionsOf = ({ effect, worst = effect, neverPays }: Command): OptionSpecs =>
  writing.has(worst) && !neverPays ? chargesOptions : {};

/** The consent to charges on a command line. Throws `usage` where it contradicts itself. */
export function consentIn(parsed: ParsedOptions): Consent {
  const values = optionValues(chargesOptions, parsed, {});
  checkRelations(chargesOptions, values);
  const { acceptCharges, acceptChargesUpTo } = values;
  if (acceptChargesUpTo === undefined) return { kind: acceptCharges === true ? 'all' : 'ask' };
  const budget = decimal(String(acceptChargesUpTo));
  if (!budget) throw new Error(`${acceptChargesUpTo} is not an amount`);
  return { kind: 'up-to', budget };
}
