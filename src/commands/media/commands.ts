import { type Command, defineCommand } from '../../command/command.ts';
import { media } from '../../contract/resources/media.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';

const medium = {
  name: 'ID',
  doc: alternatives(media.naturalKeys),
  completes: { resource: 'media' },
} as const;

export const uploadArguments = {
  id: medium,
  file: { name: 'FILE', doc: 'An audio or video file; its content says which kind', completes: 'file' },
} as const;
export const downloadArguments = {
  id: medium,
  file: {
    name: 'FILE',
    optional: true,
    doc: 'File to write; by default one with the name of the medium, in this folder; - is standard output',
    completes: 'file',
    does: ['writes-files'],
  },
} as const;
export const downloadOptions = {
  force: { flag: 'force', doc: 'Overwrite an existing file' },
} as const;
export const languageArguments = {
  language: { name: 'LANGUAGE', optional: true, doc: 'Ids of the media in it; "missing": in none' },
} as const;
export const promptArguments = {
  prompt: { name: 'PROMPT', optional: true, doc: 'Media of this prompt, a language each' },
} as const;

const upload = defineCommand({
  path: ['media', 'upload'],
  summary: 'Give a medium its file, in place of the one that it has',
  arguments: uploadArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl media upload Closed closed.mp3', doc: 'The greeting outside office hours' }],
  operations: ['media.upload'],
  load: async () => (await import('./media-files.ts')).uploadMedium,
});

const download = defineCommand({
  path: ['media', 'download'],
  summary: 'Fetch the file of a medium',
  arguments: downloadArguments,
  options: downloadOptions,
  effect: 'read',
  examples: [{ line: 'telctl media download Closed closed.mp3', doc: 'Into a file that is not there yet' }],
  operations: ['media.download'],
  load: async () => (await import('./media-files.ts')).downloadMedium,
});

const languages = defineCommand({
  path: ['media', 'languages'],
  summary: 'Count media by language, or list those in one',
  arguments: languageArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl media languages de-de', doc: 'Ids of all that is in German' }],
  operations: ['media.languages', 'media.language'],
  load: async () => (await import('./media-counts.ts')).mediaByLanguage,
});

const prompts = defineCommand({
  path: ['media', 'prompts'],
  summary: "List the account's own prompts, or the media of one",
  arguments: promptArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl media prompts vm-enter_pass', doc: 'Its languages' }],
  operations: ['media.prompts', 'media.prompt'],
  load: async () => (await import('./media-counts.ts')).mediaByPrompt,
});

export const mediaCommands: readonly Command[] = [
  ...genericCommands(media, ['media']),
  upload,
  download,
  languages,
  prompts,
];
