import { moduleRows, shareSimulated } from '../../src/extensions/calls/engine/modules/table.ts';
import { type CoverageRow, settingRows } from '../../src/extensions/calls/engine/setting-table.ts';

export function callsPage(): string {
  const modules = moduleRows();
  const settings = settingRows().filter(({ how }) => how !== 'none');
  return `# What simulated calls support

\`telctl test\`, \`callflows trace\` and the sandbox simulate calls from the records of an account. \`npm run generate\` writes this page from the modules in \`src/extensions/calls/engine/modules\`.

| Column | Meaning |
|---|---|
| Simulated | The key has its effect |
| Named | The key is skipped, and the result of the call says so |
| No effect | The key does not affect calls |

${Math.floor(shareSimulated(modules))} % of the keys with an effect are simulated. A step with \`skip_module\` is skipped.

## Modules

| Module | Simulated | Named | No effect |
|---|---|---|---|
${table(modules)}

## Settings of records

Other settings have no effect on where a call goes, which phones ring, or which records are stored.

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
