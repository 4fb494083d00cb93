import type { OpenQuestion } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { shellWord } from '../../base/wording.ts';
import { isSecretName, masked, maskedUrl } from '../../contract/secrets.ts';

/**
 * A question that nobody could be asked, for the JSON error: the question, the options that answer it, and the whole
 * next command, quoted for a shell. Words in capitals in it are still to be filled in; secrets are masked.
 */
export function actionRequired({ question, flags, line }: OpenQuestion, argv: readonly string[]): JsonObject {
  const [usual = ''] = flags;
  const command = line === undefined ? lineWith(argv, usual) : [line, ...asWords(usual)].join(' ');
  return { question, flags, command };
}

/** An option and its value, each as a shell takes it. A variable is no part of the line. */
function asWords(flag: string): readonly string[] {
  if (!flag.startsWith('--')) return [];
  const [name = '', ...value] = flag.split(' ');
  return value.length === 0 ? [name] : [name, shellWord(value.join(' '))];
}

/** The same line with an option, in place of that option where it stands there already, before what follows `--`. */
function lineWith(argv: readonly string[], flag: string): string {
  const added = asWords(flag);
  const [name] = added;
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const kept = own.filter(
    (word, index) =>
      name === undefined ||
      !(word === name || word.startsWith(`${name}=`) || (added.length > 1 && own[index - 1] === name)),
  );
  const others = end === -1 ? [] : argv.slice(end);
  return ['telctl', ...kept.map(safeWord), ...added, ...others.map(safeWord)].join(' ');
}

/** A word of the line as a shell takes it, with secrets masked: in addresses, and after names that sound of them. */
function safeWord(word: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return shellWord(maskedUrl(word));
  const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined) return shellWord(word);
  const isSecret = isSecretName(name.replace(/^--/, ''));
  return shellWord(
    `${name}=${isSecret ? masked : /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? maskedUrl(value) : value}`,
  );
}
