import { type Command, defineCommand } from '../../../command/command.ts';

export const fmtArguments = {
  files: {
    name: 'FILE',
    doc: 'Manifest, folder of manifests, or - for standard input, which goes to standard output',
    rest: true,
    completes: 'file',
  },
} as const;

export const fmtOptions = {
  check: { doc: 'Only list files with another layout; exit 3 where there are some' },
} as const;

export const fmtCommands: readonly Command[] = [
  defineCommand({
    path: ['fmt'],
    summary: 'Format manifests',
    description:
      'Puts the sections of each document into one order, two blanks a level and one empty line between sections, and names the files that it changed. Comments, texts and the order inside of objects stay, and so does what the manifest means. A file with mistakes is left as it is (exit 10). No service is asked.',
    arguments: fmtArguments,
    options: fmtOptions,
    does: ['writes-files'],
    effect: 'local',
    attended: false,
    examples: {
      'telctl fmt office.yaml': 'One file',
      'telctl fmt --check base/': 'In a pipeline: 3 where a file has another layout',
    },
    load: async () => (await import('./fmt.ts')).formatManifests,
  }),
];
