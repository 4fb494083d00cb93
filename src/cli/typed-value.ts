/** The value of an option in a command line that may not parse as a whole, up to `--`; the last one counts. */
export function typedValue(argv: readonly string[], long: string, short?: string): string | undefined {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.reduce<string | undefined>((found, argument, index) => {
    if (argument === long || argument === short) return own[index + 1] ?? found;
    if (argument.startsWith(`${long}=`)) return argument.slice(long.length + 1);
    if (short && argument.startsWith(short) && !argument.startsWith('--'))
      return argument.slice(short.length);
    return found;
  }, undefined);
}
