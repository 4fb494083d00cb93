/**
 * Writes `docs/terminal.svg`, the picture of the README: `node scripts/picture.mts`. Runs each command with an empty
 * home folder against a sandbox, and draws its output with colors.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escaped } from './site/markdown.mts';

const root = join(import.meta.dirname, '..');
const session = [
  'telctl users create -f examples/users.yaml',
  'telctl users list --fields username,email,priv_level',
  'telctl callflows create --name Front --numbers 2999 --answers user:alice',
  'telctl sandbox call --from bob --to 2999',
  'telctl limits set --inbound-trunks 4',
];
const columns = 88;
const lineHeight = 19;
const letterWidth = 8.4;

const colours = new Map(
  Object.entries({ 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff', 90: '#8b949e' }),
);

const home = mkdtempSync(join(tmpdir(), 'telctl-picture-'));
const env = { HOME: home, PATH: process.env.PATH, CLICOLOR_FORCE: '1', COLUMNS: String(columns) };
const telctl = (words: string): string => {
  const line = words.replace(/^telctl/, `"${process.execPath}" bin/telctl.js`);
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: root, env, encoding: 'utf8' });
  return stdout + stderr;
};

/** Returns a terminal line as SVG text. Color codes become attributes. */
function renderLine(line: string): string {
  let attributes = '';
  return line
    .split('\u001b[')
    .map((part, index) => {
      const [codes = ''] = index === 0 ? [] : part.split('m', 1);
      const text = index === 0 ? part : part.slice(codes.length + 1);
      for (const code of codes.split(';')) {
        const colour = colours.get(code);
        if (colour !== undefined) attributes += ` fill="${colour}"`;
        else if (code === '1') attributes += ' font-weight="bold"';
        else if (code === '2') attributes += ' fill-opacity=".7"';
        else if (code !== '') attributes = '';
      }
      return text === '' ? '' : `<tspan${attributes}>${escaped(text)}</tspan>`;
    })
    .join('');
}

try {
  telctl('telctl sandbox start');
  const lines = session.flatMap((words) => [
    `\u001b[36m$\u001b[39m \u001b[1m${words}\u001b[22m`,
    ...telctl(words).trimEnd().split('\n'),
    '',
  ]);
  const [width, height] = [columns * letterWidth + 32, (lines.length + 2) * lineHeight];
  const texts = lines.map(
    (line, index) =>
      `<text x="16" y="${(index + 2) * lineHeight}" xml:space="preserve">${renderLine(line)}</text>`,
  );
  writeFileSync(
    join(root, 'docs/terminal.svg'),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A session of telctl in a terminal">
<rect width="100%" height="100%" rx="8" fill="#161b22"/>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3">
${texts.join('\n')}
</g></svg>
`,
  );
} finally {
  execFileSync(process.execPath, ['bin/telctl.js', 'sandbox', 'stop'], { cwd: root, env, stdio: 'ignore' });
  rmSync(home, { recursive: true, force: true });
}
