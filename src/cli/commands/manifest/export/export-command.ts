import { type Command, defineCommand } from '../../../command/command.ts';

export const exportOptions = {
  only: {
    value: 'SECTIONS',
    repeat: true,
    doc: 'Export only these sections, separated by commas: users,callflows',
    excludes: ['portable'],
  },
  portable: {
    doc: 'Leave out sub-accounts, numbers, port requests and SSO applications, for use in another account',
  },
  out: {
    value: 'PATH',
    doc: 'Write to FILE.yaml or FILE.json, or to FOLDER/ with a file for each section',
    completes: 'file',
    does: ['writes-files'],
  },
  split: {
    value: 'HOW',
    choices: ['sections', 'objects'],
    doc: 'Split a folder into a file for each section or each object (default: sections)',
    needs: ['out'],
  },
  merge: {
    doc: 'Update existing files, and keep their comments, order, names and references',
    excludes: ['force'],
    needs: ['out'],
  },
  removeMissing: { doc: 'Remove objects that the account no longer has', needs: ['merge'] },
  ledger: {
    value: 'FILE',
    doc: 'File of the ledger, which distinguishes objects of the same name',
    needs: ['merge'],
    does: ['reads-files', 'writes-files'],
  },
  allFields: {
    doc: 'Export unknown fields under extra: of their object (default: only count them)',
  },
  withFiles: {
    doc: 'Also download the files of media, to a folder next to the manifest',
    needs: ['out'],
    excludes: ['merge'],
  },
  force: { doc: 'Replace existing files', needs: ['out'] },
  withAccount: { doc: 'Name the account in the manifest, so that it applies only there' },
} as const;

export const exportCommands: readonly Command[] = [
  defineCommand({
    path: ['export'],
    summary: 'Write an account as a manifest',
    description: [
      'Applying the manifest again changes nothing. Use --account to apply it to another account. References are by name.',
      'Generated and default values are left out. Secrets are replaced by environment variables. If such a variable is not',
      'set, apply does not change the field.',
      '--reveal writes secrets in clear, if the service returns them.',
    ].join('\n'),
    options: exportOptions,
    account: true,
    effect: 'read',
    examples: {
      'telctl export --out office.yaml': 'Export the whole account to one file',
      'telctl export --only users,callflows': 'Show two sections',
      'telctl export --out acme/ --split objects': 'Write a file for each object, for a repository',
      'telctl export --out office.yaml --merge': 'Update a file that people edit',
      'telctl export --account branch --out branch.yaml': 'A sub-account',
      'telctl export --portable --out template.yaml': 'Export only what other accounts can have',
    },
    load: async () => (await import('./export.ts')).exportAccount,
  }),
];
