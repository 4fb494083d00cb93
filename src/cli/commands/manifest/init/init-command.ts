import { type Command, defineCommand } from '../../../command/command.ts';

export const initOptions = {
  template: {
    flag: 'template',
    value: 'NAME',
    choices: ['small-office', 'call-centre', 'reseller'],
    doc: 'From this template; no sign-in is needed',
  },
  fromAccount: {
    flag: 'from-account',
    doc: 'From the account that you are signed in to; also the default',
    excludes: ['template'],
  },
  out: {
    flag: 'out',
    value: 'PATH',
    doc: 'The file to write (manifest.yaml by default), or the folder of a template of several files',
    completes: 'file',
    does: ['writes-files'],
  },
} as const;

export const initCommands: readonly Command[] = [
  defineCommand({
    path: ['init'],
    summary: 'Write a first manifest, with comments',
    description: [
      'From the account it takes who is there and where calls go; telctl export takes everything. A template is a whole',
      'office, a call centre in several files, or a reseller with two customers, to be changed. Nothing is overwritten.',
    ].join('\n'),
    arguments: {},
    options: initOptions,
    account: true,
    does: ['writes-files'],
    effect: 'read',
    examples: [
      { line: 'telctl init', doc: 'From the account, into manifest.yaml' },
      { line: 'telctl init --template small-office --out office.yaml', doc: 'From a template' },
      { line: 'telctl init --template call-centre', doc: 'A folder of files' },
    ],
    load: async () => (await import('./write-first.ts')).writeFirstManifest,
  }),
];
