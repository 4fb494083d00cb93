import { Failure, withFacts } from '../base/failure.ts';

/** `--take-over` as a program gives it: `takeOver: true`; `--set-name "night"`: `setName: "night"`. */
function asOption(word: string, value: string | undefined): string {
  const name = word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${name}: ${value === undefined ? 'true' : JSON.stringify(value.replaceAll(/^["']|["']$/g, ''))}`;
}

/** A sentence with options of the command line as those of the library; lines to copy into a shell stay as they are. */
const inOptions = (text: string): string =>
  /\btelctl [a-z]/.test(text)
    ? text
    : text.replaceAll(
        /--([a-z][a-z-]+)(?: ("[^"]*"|(?!and |or |or$|if )[\w@+.-]*\w))?/g,
        (_, word: string, value: string | undefined) => asOption(word, value),
      );

/** A failure in the words of the library: what a person is asked at a terminal, a program says by an option. */
export function forPrograms(error: Failure): Failure {
  const { kind, open, hint, lines, message } = error;
  if (kind === 'charges' && open)
    return withFacts(error, { hint: 'Say yes to it in onCharges.', open: undefined });
  const name = open?.flags
    .map((flag) => /^--confirm (.*)$/.exec(flag)?.[1])
    .find((each) => each !== undefined);
  if (name !== undefined && kind === 'usage')
    return withFacts(error, {
      kind: 'refused',
      lines: `${message.replace(/ Answer it with .*$/, '').replace('Nobody can be asked here: ', 'This asks for a name: ')} Nothing was sent.`,
      hint: `Give ${asOption('confirm', name)}.`,
      open: undefined,
    });
  if (/ --protect none$/.test(hint ?? ''))
    return withFacts(error, {
      lines: message.replace(/ is read-only;/, ' is read-only for this program;'),
      hint: 'Where the profile asks before changes, allowProtected: true lifts that.',
    });
  const [first = '', ...rest] = lines.map(inOptions);
  return withFacts(error, {
    lines: [first, ...rest],
    ...(hint === undefined ? {} : { hint: inOptions(hint) }),
    open: undefined,
  });
}

/** Does work, and throws its failures in the words of the library. */
export async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Failure ? forPrograms(error) : error;
  }
}
