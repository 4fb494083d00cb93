import { globalOptions } from '../global-options.ts';
import { groups, nouns } from '../registry.ts';
import { type Columns, paragraph, section, twoColumns } from './layout.ts';
import { optionRows } from './option-rows.ts';

/** `telctl --help`. */
export function programPage(columns: Columns): string {
  const parts = groups.flatMap((group) => {
    const rows = nouns
      .filter((noun) => noun.group === group)
      .map(({ name, summary }) => [name, summary] as const);
    return rows.length === 0 ? [] : [section(group, twoColumns(rows, columns, 14))];
  });
  return [
    `${paragraph('Administer accounts, users, callflows, limits and webhooks of a telephony service.', columns)}\n`,
    'Usage: telctl <noun> <verb> [arguments] [options]\n',
    ...parts,
    section('Options of every command', twoColumns(optionRows(globalOptions), columns)),
    `${paragraph('telctl <noun> --help lists its verbs; the help of a verb ends with examples.', columns)}\n`,
  ].join('\n');
}
