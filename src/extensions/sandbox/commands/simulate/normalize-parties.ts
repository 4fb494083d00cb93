import { Failure } from '../../../../base/failure.ts';
import type { Context } from '../../../../cli/command/context.ts';
import { dependsOnCountry, explainUndialled, normaliseTyped } from '../../../../contract/phone-number.ts';

/**
 * Reads the numbers of a simulated call. National numbers from outside get the country code of the user's settings.
 * Phones of the account dial digits unchanged. Throws `Failure` (`invalid`) for a number that cannot be dialed.
 */
export function normalizeParties<P extends { readonly from: string; readonly to?: string }>(
  { settings }: Pick<Context, 'settings'>,
  parties: P,
): P {
  for (const [option, text] of Object.entries(parties)) {
    const why = typeof text === 'string' ? explainUndialled(text) : undefined;
    if (why !== undefined)
      throw new Failure('invalid', `--${option} ${JSON.stringify(text)} cannot be dialed: ${why}.`);
  }
  const isOutside = /^\+?[\d\s().-]{7,}$/.test(parties.from);
  const read = (text: string): string =>
    isOutside && dependsOnCountry(text) ? normaliseTyped(text, settings.country.value) : text;
  const { from, to } = parties;
  return { ...parties, from: read(from), ...(to === undefined ? {} : { to: read(to) }) };
}
