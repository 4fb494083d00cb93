import { globalOptions } from '../global-options.ts';
import { groups, nouns } from '../registry.ts';
import { section, twoColumns } from './layout.ts';
import { optionRows } from './option-rows.ts';

/** `telctl --help`. */
export function programPage(): string {
  const parts = groups.flatMap((group) => {
    const rows = nouns
      .filter((noun) => noun.group === group)
      .map(({ name, summary }) => [name, summary] as const);
    return rows.length === 0 ? [] : [section(group, twoColumns(rows, 14))];
  });
  return [
    'Administer accounts, users, callflows, limits and webhooks of a telephony service.\n',
    'Usage: telctl <noun> <verb> [arguments] [options]\n',
    ...parts,
    section('Options of every command', twoColumns(optionRows(globalOptions))),
    'telctl <noun> --help lists its verbs; the help of a verb ends with examples.\n',
  ].join('\n');
}
