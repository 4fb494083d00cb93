import { isObject, type Json, type JsonObject, objectsIn } from '../../../base/json.ts';
import { endingOf, media } from '../../../contract/resources/media.ts';
import type { Command } from '../../command/command.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { type CallFacts, callCommand } from '../operations/operation-command.ts';
import { fileNameOf } from '../operations/service-files.ts';
import { operationFor } from '../records/find-named.ts';

const medium = argumentFor(media);

/** A list of one object, from words to numbers, as rows. */
const countsBy =
  (word: string) =>
  (data: Json): readonly JsonObject[] =>
    objectsIn(data)
      .flatMap((each) => Object.entries(each))
      .map(([name, count]) => ({ [word]: name, count: count ?? 0 }));
/** Media as records; the documentation of compatible services has ids there. */
const mediaIn = (data: Json): readonly JsonObject[] =>
  (Array.isArray(data) ? data : []).flatMap((each): readonly JsonObject[] =>
    typeof each === 'string' ? [{ id: each }] : isObject(each) ? [each] : [],
  );

const counts: readonly CallFacts[] = [
  {
    summary: 'Count media by language, or list those in one',
    operation: operationFor(media, 'languages'),
    arguments: {
      language: { name: 'LANGUAGE', optional: true, doc: 'Ids of the media in it; "missing": in none' },
    },
    examples: { 'telctl media languages de-de': 'Ids of all that is in German' },
    gives: {
      noun: 'languages',
      rows: countsBy('language'),
      columns: [
        { header: 'LANGUAGE', paths: ['language'] },
        { header: 'MEDIA', paths: ['count'] },
      ],
    },
    given: [
      {
        when: { language: true },
        operation: operationFor(media, 'language'),
        gives: { noun: 'media', rows: mediaIn, columns: [{ header: 'ID', paths: ['id'] }] },
      },
    ],
  },
  {
    summary: "List the account's own prompts, or the media of one",
    operation: operationFor(media, 'prompts'),
    arguments: { prompt: { name: 'PROMPT', optional: true, doc: 'Media of this prompt, a language each' } },
    examples: { 'telctl media prompts vm-enter_pass': 'Its languages' },
    gives: {
      noun: 'prompts',
      rows: countsBy('prompt'),
      columns: [
        { header: 'PROMPT', paths: ['prompt'] },
        { header: 'LANGUAGES', paths: ['count'] },
      ],
    },
    given: [
      {
        when: { prompt: true },
        operation: operationFor(media, 'prompt'),
        gives: {
          noun: 'media',
          rows: mediaIn,
          columns: [
            { header: 'ID', paths: ['id'] },
            { header: 'FILE', paths: ['has_attachments'], show: 'flag' },
          ],
        },
      },
    ],
  },
];

export const mediaCommands: readonly Command[] = [
  ...genericCommands(media, ['media']),
  callCommand({
    description: 'The medium is made before: telctl media create --name Closed.',
    operation: operationFor(media, 'upload'),
    arguments: {
      id: medium,
      file: {
        name: 'FILE',
        doc: 'An audio or video file; its content says which kind',
        completes: 'file',
        into: 'nowhere',
      },
    },
    examples: { 'telctl media upload Closed closed.mp3': 'The greeting outside office hours' },
    says: 'Uploaded {file} to medium {id}: {sent}.',
  }),
  callCommand({
    operation: operationFor(media, 'download'),
    arguments: { id: medium },
    examples: { 'telctl media download Closed closed.mp3': 'Into a file that is not there yet' },
    saves: { named: (medium, type) => `${fileNameOf(medium)}.${endingOf(type)}` },
  }),
  ...counts.map(callCommand),
];
