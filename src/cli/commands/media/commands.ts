import { isObject, type Json, type JsonObject, objectsIn } from '../../../base/json.ts';
import { fileExtension, media } from '../../../contract/resources/media.ts';
import type { Command } from '../../command/command.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { callCommand, type OperationCommandFacts } from '../operations/operation-command.ts';
import { fileNameOf } from '../operations/service-files.ts';
import { operationFor } from '../records/find-named.ts';

const mediumArgument = argumentFor(media);

/** Converts an object that maps words to numbers, in a list of one, to rows. */
const countsBy =
  (word: string) =>
  (data: Json): readonly JsonObject[] =>
    objectsIn(data)
      .flatMap((each) => Object.entries(each))
      .map(([name, count]) => ({ [word]: name, count: count ?? 0 }));
/** Compatible services are documented to return ids instead of records. */
const mediaRecords = (data: Json): readonly JsonObject[] =>
  (Array.isArray(data) ? data : []).flatMap((each): readonly JsonObject[] =>
    typeof each === 'string' ? [{ id: each }] : isObject(each) ? [each] : [],
  );

const countCalls: readonly OperationCommandFacts[] = [
  {
    summary: 'Count media by language, or list those in one',
    operation: operationFor(media, 'languages'),
    arguments: {
      language: {
        name: 'LANGUAGE',
        optional: true,
        doc: 'Language of the media to list, or "missing" for media without one',
      },
    },
    examples: { 'telctl media languages de-de': 'List ids of German media' },
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
        gives: { noun: 'media', rows: mediaRecords, columns: [{ header: 'ID', paths: ['id'] }] },
      },
    ],
  },
  {
    summary: "List the account's own prompts, or the media of one",
    operation: operationFor(media, 'prompts'),
    arguments: {
      prompt: { name: 'PROMPT', optional: true, doc: 'Prompt whose media to list, one for each language' },
    },
    examples: { 'telctl media prompts vm-enter_pass': 'List its languages' },
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
          rows: mediaRecords,
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
    description: 'Create the medium first: telctl media create --name Closed.',
    operation: operationFor(media, 'upload'),
    arguments: {
      id: mediumArgument,
      file: {
        name: 'FILE',
        doc: 'Audio or video file; its content determines the type',
        completes: 'file',
        into: 'nowhere',
      },
    },
    examples: { 'telctl media upload Closed closed.mp3': 'Upload the greeting for closed hours' },
    says: 'Uploaded {file} to medium {id}: {sent}.',
  }),
  callCommand({
    operation: operationFor(media, 'download'),
    arguments: { id: mediumArgument },
    examples: { 'telctl media download Closed closed.mp3': 'Download to a new file' },
    saves: { named: (medium, type) => `${fileNameOf(medium)}.${fileExtension(type)}` },
  }),
  ...countCalls.map(callCommand),
];
