import type { OptionSpec, OptionSpecs } from '../command.ts';

function docOf({ doc, choices, repeat, env }: OptionSpec): string {
  const notes = [
    choices && `one of ${choices.join(', ')}`,
    repeat && 'may be given several times',
    env && `or ${env}`,
  ].filter((note) => note);
  return notes.length === 0 ? doc : `${doc} (${notes.join('; ')})`;
}

/** Options with what they are for, as help pages show them. */
export function optionRows(specs: OptionSpecs): readonly (readonly [string, string])[] {
  return Object.values(specs).map((spec) => {
    const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
    return [`${short}--${spec.flag}${spec.value === undefined ? '' : ` ${spec.value}`}`, docOf(spec)];
  });
}
