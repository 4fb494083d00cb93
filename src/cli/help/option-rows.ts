import type { OptionSpec, OptionSpecs } from '../../command/command.ts';

function docOf({ doc, value, choices, suggestions, repeat, env }: OptionSpec): string {
  const words = choices ?? suggestions;
  const notes = [
    words && value !== words.join('|') && `${choices ? 'one of' : 'such as'} ${words.join(', ')}`,
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
