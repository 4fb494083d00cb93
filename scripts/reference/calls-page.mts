import { moduleRows, shareSimulated } from '../../src/extensions/calls/engine/modules/table.ts';
import { type CoverageRow, settingRows } from '../../src/extensions/calls/engine/setting-table.ts';

/** The page of what simulated calls heed, as Markdown. */
export function callsPage(): string {
  const modules = moduleRows();
  const settings = settingRows().filter(({ how }) => how !== 'none');
  return `# What simulated calls heed

Made by \`npm run generate\` from the declarations of the modules in \`src/extensions/calls/engine/modules\`.

telctl makes calls by itself, from the records of an account: nothing is dialled. Each key of each module is *simulated* (it has its effect), *named* (it is passed over, and the result of the call says so), or without an effect on calls. Of the keys of modules that have an effect, ${Math.floor(shareSimulated(modules))} % are simulated. A step with \`skip_module\` is skipped.

## Modules

| Module | Simulated | Named | No effect |
|---|---|---|---|
${table(modules)}

## Settings of records

Settings that are not listed have no effect on where a call goes, whom it rings, or what is kept of it.

| Records | Simulated | Named |
|---|---|---|
${table(settings, false)}
`;
}

function table(rows: readonly CoverageRow[], hasNone = true): string {
  const names = [...new Set(rows.map((row) => row.of))];
  const cell = (name: string, how: CoverageRow['how']): string =>
    rows
      .filter((row) => row.of === name && row.how === how)
      .map(({ key, why }) => (why === undefined ? `\`${key}\`` : `\`${key}\` (${why})`))
      .join(', ');
  return names
    .map((name) => {
      const cells = [cell(name, 'simulated'), cell(name, 'named'), ...(hasNone ? [cell(name, 'none')] : [])];
      return `| \`${name}\` | ${cells.join(' | ')} |`;
    })
    .join('\n');
}
