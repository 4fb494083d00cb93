import { join, resolve } from 'node:path';
import { Failure, nextStep } from '../../../../base/failure.ts';
import { shellWord } from '../../../../base/wording.ts';
import { type KindName, kindByName } from '../../../../engine/manifest/kinds.ts';
import { type TextFile, writeFiles } from '../../../../engine/manifest/manifest-files.ts';
import { type Command, defineCommand, type InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { dryRunMessage } from '../../change.ts';
import { exportedText } from '../export/export.ts';
import { templates } from './generated/templates.ts';

export const manifestInitOptions = {
  template: {
    value: 'NAME',
    choices: ['small-office', 'call-centre', 'reseller'],
    doc: 'Use this template, without a sign-in',
  },
  fromAccount: {
    doc: 'Use the account that you are signed in to (default)',
    excludes: ['template'],
  },
  out: {
    value: 'PATH',
    doc: 'File to write, or folder for a template of several files (default: manifest.yaml)',
    completes: 'file',
    does: ['writes-files'],
  },
} as const;

export const initCommands: readonly Command[] = [
  defineCommand({
    path: ['init'],
    summary: 'Write a first manifest, with comments',
    description: [
      'From an account, writes its people and callflows; telctl export writes everything. Templates are a complete',
      'office, a call centre in several files, and a reseller with two customers. Existing files are not overwritten.',
    ].join('\n'),
    options: manifestInitOptions,
    account: true,
    does: ['writes-files'],
    effect: 'read',
    examples: {
      'telctl init': 'From the account, into manifest.yaml',
      'telctl init --template small-office --out office.yaml': 'From a template',
      'telctl init --template call-centre': 'A folder of files',
    },
    load: async () => writeFirstManifest,
  }),
];

type InitInput = InputOf<typeof manifestInitOptions>;

const sections = [
  'users',
  'devices',
  'vmboxes',
  'menus',
  'groups',
  'temporal_rules',
  'callflows',
] as const satisfies readonly KindName[];

/** Writes a first manifest. Throws `refused` if the file exists. */
async function writeFirstManifest(input: InitInput, context: Context): Promise<Result> {
  const { host, options } = context;
  const name = input.template;
  const out = input.out ?? (name !== undefined && isFolder(name) ? name : 'manifest.yaml');
  if (host.files.kindOf(resolve(host.cwd, out)) !== undefined)
    throw new Failure('refused', `${out} already exists. Nothing was written.`, {
      hint: 'Write another file with --out, or update this one: telctl export --out FILE --merge',
    });
  const files = name === undefined ? await filesFromAccount(out, context) : filesFromTemplate(name, out);
  const names = files.map((file) => file.name);
  if (options.dryRun) return dryRunMessage(`write ${names.join(', ')}`);
  writeFiles(host, files, { folder: files.length > 1 ? out : undefined, secret: false });
  return {
    kind: 'done',
    message: [
      `Wrote ${names.join(', ')}.`,
      `To see what it would change: ${nextStep`plan -f ${pathToPlan(name, out)}`}`,
    ],
    value: { files: names },
  };
}

const templateFiles = (template: string): Readonly<Record<string, string>> =>
  Object.hasOwn(templates, template) ? (templates[template] ?? {}) : {};

const isFolder = (template: string): boolean => Object.keys(templateFiles(template)).length > 1;

/** A template of several files has a folder `base`, with overlays next to it. */
const pathToPlan = (template: string | undefined, out: string): string =>
  template !== undefined && isFolder(template) ? join(out, 'base') : out;

/** Returns the files of a template. Replaces paths of this repository by those of the written files. */
function filesFromTemplate(template: string, out: string): readonly TextFile[] {
  const own = isFolder(template) ? `examples/${template}` : `examples/${template}.yaml`;
  return Object.entries(templateFiles(template)).map(([path, text]) => ({
    name: path === '' ? out : join(out, path),
    text: text.replaceAll(own, out).replace(/\$schema=\S+/, '$schema=.manifest.schema.json'),
  }));
}

async function filesFromAccount(out: string, context: Context): Promise<readonly TextFile[]> {
  const { exported, text } = await exportedText(context, {
    only: [...sections],
    portable: false,
    allFields: false,
    withAccount: false,
  });
  const commented = sections.reduce((said, section) => {
    const { summary, name } = kindByName(section).resource;
    return said.replace(new RegExp(`^${section}:`, 'm'), `# ${summary}. More: telctl explain ${name}\n$&`);
  }, text);
  const head = [
    `# A first manifest of ${exported.account.name.replaceAll(/\s/g, ' ')}: its people and callflows. apply does not change other objects;`,
    `# telctl export writes everything. \${users.alice} refers to the user of that name in this file.`,
    '#',
    `#   telctl plan -f ${shellWord(out)}     shows what would change`,
    `#   telctl apply -f ${shellWord(out)}    asks, and makes the changes`,
    '#',
  ];
  return [{ name: out, text: `${head.join('\n')}\n${commented}` }];
}
