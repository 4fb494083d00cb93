import { type Command, defineCommand } from '../../../command/command.ts';

export const exportOptions = {
  only: {
    value: 'SECTIONS',
    repeat: true,
    doc: 'These sections alone, with commas between: users,callflows',
    excludes: ['portable'],
  },
  portable: { doc: 'For another account: without sub-accounts, numbers, port requests and SSO applications' },
  out: {
    value: 'PATH',
    doc: 'Write FILE.yaml or FILE.json, or into FOLDER/, a file for each section',
    completes: 'file',
    does: ['writes-files'],
  },
  split: {
    value: 'HOW',
    choices: ['sections', 'objects'],
    doc: 'Files of a folder: one for each section (default), or for each object',
    needs: ['out'],
  },
  merge: {
    doc: 'Update existing files; their comments, order, names and references stay',
    excludes: ['force'],
    needs: ['out'],
  },
  removeMissing: { doc: 'Take out objects that the account no longer has', needs: ['merge'] },
  ledger: {
    value: 'FILE',
    doc: 'Where the ledger is kept, by which objects of one name are told apart',
    needs: ['merge'],
    does: ['reads-files', 'writes-files'],
  },
  allFields: {
    doc: 'Keep fields that telctl does not know, under extra: of their object; otherwise they are counted',
  },
  withFiles: {
    doc: 'Fetch the files of media, too, into a folder beside the manifest',
    needs: ['out'],
    excludes: ['merge'],
  },
  force: { doc: 'Replace existing files', needs: ['out'] },
  withAccount: { doc: 'Name the account in the manifest, so that it applies to no other' },
} as const;

export const exportCommands: readonly Command[] = [
  defineCommand({
    path: ['export'],
    summary: 'Write an account as a manifest',
    description: [
      'The manifest applies back as no change, and to another account with --account. References stand in it by name;',
      'what the service makes by itself is left out, and so are default values. In place of a secret stands a variable of',
      'the environment: where it is set, so is the field; where it is not, the field is left alone.',
      '--reveal writes secrets in clear, where the service shows them.',
    ].join('\n'),
    options: exportOptions,
    account: true,
    effect: 'read',
    examples: {
      'telctl export --out office.yaml': 'The whole account into one file',
      'telctl export --only users,callflows': 'Two sections, to look at',
      'telctl export --out acme/ --split objects': 'A file for each object, for a repository',
      'telctl export --out office.yaml --merge': 'Update a file that people edit',
      'telctl export --account branch --out branch.yaml': 'A sub-account',
      'telctl export --portable --out template.yaml': 'What another account can have, too',
    },
    load: async () => (await import('./export.ts')).exportAccount,
  }),
];
