import { Failure } from '../../../../base/failure.ts';
import type { Context } from '../../../../cli/command/context.ts';
import { dependsOnCountry, meantNumber, undialledBecause } from '../../../../contract/phone-number.ts';

/**
 * Reads the numbers of a simulated call: national ones by the country that the user named, if they come from outside. A
 * phone of the account dials digits as they are. Throws `Failure` of kind `invalid` for a number that cannot be dialed.
 */
export function partiesTyped<P extends { readonly from: string; readonly to?: string }>(
  { settings }: Pick<Context, 'settings'>,
  parties: P,
): P {
  for (const [option, text] of Object.entries(parties)) {
    const why = typeof text === 'string' ? undialledBecause(text) : undefined;
    if (why !== undefined)
      throw new Failure('invalid', `--${option} ${JSON.stringify(text)} cannot be dialed: ${why}.`);
  }
  const isOutside = /^\+?[\d\s().-]{7,}$/.test(parties.from);
  const read = (text: string): string =>
    isOutside && dependsOnCountry(text) ? meantNumber(text, settings.country.value) : text;
  const { from, to } = parties;
  return { ...parties, from: read(from), ...(to === undefined ? {} : { to: read(to) }) };
}
