import { Failure } from '../../base/failure.ts';
import { shellWord } from '../../base/wording.ts';
import { maskedUrl } from '../../contract/secrets.ts';
import type { Command, OptionSpec, OptionSpecs, ParsedInput } from '../command/command.ts';
import type { Consent } from '../command/context.ts';
import { type GlobalInput, globalOptions } from '../commands/global-options.ts';
import {
  chargesOptionsOf,
  consentIn,
  fieldsOptionsOf,
  templateFlag,
  templateOptionsOf,
  unknownFieldsFlag,
} from './charges-options.ts';
import { type Found, findCommand } from './find-command.ts';
import { checkRelations, type Env, inputFor, optionValues } from './input-for.ts';
import { type ManyInput, manyOptions, manyOptionsOf, namesMany } from './many/options.ts';
import { type ParsedOptions, parseOptions } from './parse-options.ts';

/** The request that a command line makes. */
export type ParsedLine =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly input: ParsedInput;
      readonly global: GlobalInput;
      readonly consent: Consent;
      readonly allowUnknownFields: boolean;
      /** Text of each record's line, by `--template`. */
      readonly template: string | undefined;
      /** Accounts that the command is asked for, if it is for many. */
      readonly many: ManyInput | undefined;
      /** The line as the log keeps it, without secrets. */
      readonly shown: string;
      /** Global options on it that could be meant for a field of their name, a sentence each. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'help';
      readonly page: Exclude<Found, { kind: 'command' }> | Command;
      readonly global: GlobalInput;
    }
  | { readonly kind: 'version' };

/**
 * Turns a command line into a command with complete, checked, frozen input. Throws `usage` with one sentence
 * that names the word, option or argument that is wrong or missing.
 */
export async function parseLine(argv: readonly string[], env: Env): Promise<ParsedLine> {
  const found = await findCommand(argv);
  const command = found.kind === 'command' ? found.command : undefined;
  const where = ['telctl', ...wordsOf(found)].join(' ');
  const takesMany = command && namesMany(found.rest) ? await manyOptionsOf(command) : {};
  // By their flags: a field may have the name of an option of every command, and another flag.
  const ofCharges = command ? chargesOptionsOf(command) : {};
  const ofFields = command ? fieldsOptionsOf(command) : {};
  const ofLines = command ? templateOptionsOf(command) : {};
  const specs = [globalOptions, takesMany, ofCharges, ofFields, ofLines, command?.options ?? {}].flatMap(
    (some) => Object.values(some),
  );
  const parsed = parseOptions(where, specs, found.rest);
  // Exactly what the constant describes, and only the parser makes it.
  const global = optionValues(globalOptions, parsed, {}) as GlobalInput;
  if (found.kind !== 'command') {
    return found.kind === 'program' && global.version
      ? { kind: 'version' }
      : { kind: 'help', page: found, global };
  }
  if (global.help) return { kind: 'help', page: found.command, global };
  const input = inputFor(where, found.command, parsed, env);
  const isMany = Object.keys(takesMany).length > 0;
  const many = isMany ? (optionValues(manyOptions, parsed, {}) as ManyInput) : undefined;
  if (many) checkRelations(manyOptions, many);
  const allowUnknownFields = parsed.values.has(unknownFieldsFlag);
  const consent = consentIn(parsed);
  const template = templateIn(parsed, ofLines);
  const shown = shownLine(found.command.path, parsed, specs);
  return {
    kind: 'run',
    command: found.command,
    input,
    global,
    many,
    consent,
    template,
    allowUnknownFields,
    shown,
    notes: notesOn(found, parsed),
  };
}

/** Notes global options after the command's words whose name is that of a field, which has an option of its own. */
const notesOn = (
  { command, after }: Extract<Found, { kind: 'command' }>,
  { values }: ParsedOptions,
): readonly string[] =>
  Object.values(command.options).flatMap(({ flag, beside }) => {
    if (beside === undefined || values.has(flag)) return [];
    const typed = `--${beside.flag}`;
    const isMeant = after.some((each) => each === typed || each.startsWith(`${typed}=`));
    return isMeant
      ? [`${typed} is an option of every command; that of the ${beside.whose} is --${flag}.`]
      : [];
  });

/** The template on a line. Throws `usage` beside another word about the format. */
function templateIn({ values }: ParsedOptions, specs: OptionSpecs): string | undefined {
  if (Object.keys(specs).length === 0) return undefined;
  const given = values.get(templateFlag);
  const other = ['output', 'fields'].find((flag) => values.has(flag));
  if (given !== undefined && other !== undefined)
    throw new Failure('usage', `Give --${templateFlag} or --${other}, not both.`);
  return Array.isArray(given) ? given.at(-1) : undefined;
}

function wordsOf(found: Found): readonly string[] {
  if (found.kind === 'command') return found.command.path;
  return found.kind === 'group' ? found.words : [];
}

/** Options whose `NAME=VALUE` says what is looked for, and not what is stored. */
const lookingFor = new Set(['filter']);

/**
 * A command line as the log keeps it. Values of fields and variables stand in what was changed, as far as they are no
 * secrets; here they are left out, and so is what may be secret in addresses.
 */
function shownLine(
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
