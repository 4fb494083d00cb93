import { shellWord } from '../../base/wording.ts';
import { maskedUrl } from '../../contract/secrets.ts';
import type { OptionSpec } from '../command/command.ts';
import type { ParsedOptions } from './parse-options.ts';

/** Options whose `NAME=VALUE` says what is looked for, and not what is stored. */
const lookingFor = new Set(['filter']);

/**
 * A command line as the log keeps it. Values of fields and variables stand in what was changed, as far as they are no
 * secrets; here they are left out, and so is what may be secret in addresses.
 */
export function shownLine(
  path: readonly string[],
  { operands, values }: ParsedOptions,
  specs: readonly OptionSpec[],
): string {
  const valued = new Map(specs.map(({ flag, value = '' }) => [flag, value]));
  const options = [...values]
    .filter(([flag]) => flag !== 'note')
    .flatMap(([flag, given]) =>
      given === true
        ? [`--${flag}`]
        : given.flatMap((text) => [`--${flag}`, shellWord(shownValue(flag, valued.get(flag) ?? '', text))]),
    );
  return [...path, ...operands.map((text) => shellWord(withoutSecrets(text))), ...options].join(' ');
}

function shownValue(flag: string, placeholder: string, text: string): string {
  const at = text.indexOf('=');
  return placeholder.includes('=') && at > 0 && !lookingFor.has(flag)
    ? `${text.slice(0, at)}=…`
    : withoutSecrets(text);
}

/** A word of a command line without what addresses carry: users and passwords, and the values of a query. */
const withoutSecrets = (text: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? maskedUrl(text)
    : text.replaceAll(/([?&][^=&\s]+)=[^&\s]*/g, '$1=…');
