import { errorKinds } from '../../src/cli/shell/help/errors-topic.ts';
import type { HelpPart } from '../../src/cli/shell/help/layout.ts';
import { topics } from '../../src/cli/shell/help/topics.ts';

export function exitCodesPage(): string {
  const rows = errorKinds.map(
    ({ kind, code, means }) => `| ${code} | [\`${kind}\`](troubleshooting.md#${kind}) | ${means} |`,
  );
  return `# Exit codes

Every command ends with one of these codes. With \`-o json\`, an error is a JSON object on stderr with the same \`kind\`. Codes and kinds do not change between versions.

| Code | Kind | Meaning |
|---|---|---|
| 0 | | Success |
${rows.join('\n')}

The words of a message can change. Scripts should check the exit code, or \`error.kind\` in JSON.
`;
}

/** Returns the page of error messages with their solutions. */
export function troubleshootingPage(): string {
  const sections = errorKinds.map(({ kind, code, means, first, seen }) => {
    const rows = seen.map(([message, answer]) => `| ${message} | ${answer} |`);
    const table = rows.length === 0 ? [] : ['', '| Message | What to do |', '|---|---|', ...rows];
    return [`## ${kind}`, '', `${means}. Exit code ${code}.`, '', first, ...table].join('\n');
  });
  return `# When something goes wrong

Find the error message on this page, and see what to do. \`…\` stands for a value. Each section is a kind of error, and \`telctl help not_found\` prints the same text.

1. Run \`telctl doctor\`. It checks this machine, the profile and the connection to the service.
2. Run the command again with \`--verbose\` to see each request.
3. Search this page for words of the message.

## No error, but the result is wrong

| Problem | Run |
|---|---|
| A caller hears silence | \`telctl callflows trace NUMBER\`, \`telctl callflows lint\` |
| A phone does not ring | \`telctl registrations list\`, \`telctl callflows trace NUMBER\` |
| A webhook receives no events | \`telctl webhooks health\`, then \`telctl webhooks attempts NAME --failed\` |
| Something changed, and you do not know why | \`telctl log\`, \`telctl diff\` |
| You changed the wrong account | \`telctl undo\`, then \`telctl profiles set NAME --protect confirm\` |

${sections.join('\n\n')}
`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');

function markdownOf(part: HelpPart): string {
  if (part.kind === 'text' || part.kind === 'line') return cell(part.text);
  const heading = part.heading === undefined ? [] : [`## ${part.heading}`, ''];
  const lines =
    part.kind === 'lines'
      ? ['```sh', ...part.lines, '```']
      : [
          '| | |',
          '|---|---|',
          ...part.rows.map(([word, text]) => `| \`${word.replaceAll('|', '\\|')}\` | ${cell(text)} |`),
        ];
  return [...heading, ...lines].join('\n');
}

export function topicMarkdown(name: string, title: string): string {
  const topic = topics.find((each) => each.name === name);
  if (topic === undefined) throw new Error(`telctl help has no topic ${name}.`);
  const intro = `\`telctl help ${name}\` prints this page. \`npm run generate\` writes it from the source.`;
  return `# ${title}\n\n${[intro, ...topic.parts.map(markdownOf)].join('\n\n')}\n`;
}
