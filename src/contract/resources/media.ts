import { flag, integer, mapOf, object, openObject, text, texts } from '../fields.ts';
import { collection, resource, showOperation } from '../resource.ts';
import * as shared from '../structures.ts';

const ours = { source: 'convention' } as const;
const path = '/accounts/{account_id}/media';

export const mediaTypes = [
  'audio/mp3',
  'audio/mpeg',
  'audio/mpeg3',
  'audio/x-wav',
  'audio/wav',
  'audio/ogg',
  'video/x-flv',
  'video/h264',
  'video/mpeg',
  'video/quicktime',
  'video/mp4',
  'video/webm',
] as const;

/** Bytes. Services accept this size with default settings. The schema allows 11,534,336. */
export const largestMedia = 8_000_000;

/** Counts by name of a language or prompt. */
const counts = (doc: string) => mapOf(integer('Count', ours), doc);

export const media = resource({
  name: 'media',
  singular: 'medium',
  summary: 'Audio for prompts, greetings and music on hold',
  order: 70,
  idParameter: 'media_id',
  // Streams, prompts of the service, files of other servers.
  elsewhere: /\//,
  naturalKeys: ['name'],
  section: 'Conventions, media',
  doc: 'A medium',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    description: text('Description, often the name of the file', {
      ...ours,
      option: true,
      convention: { minLength: 1, maxLength: 128 },
    }),
    language: text('Language, in lower case', {
      ...ours,
      option: true,
      names: 'language',
      convention: { default: 'en-us' },
    }),
    media_source: text('Source', {
      ...ours,
      option: true,
      convention: { enum: ['recording', 'upload', 'tts'], default: 'upload' },
    }),
    tts: object(
      {
        text: text('Text to speak', { ...ours, convention: { minLength: 1 } }),
        voice: text('Voice, such as female/en-US', {
          ...ours,
          // There are about 125 names: female/en-US, en-US-Standard-B …. Services refuse a lowercase region.
          convention: { default: 'female/en-US', pattern: '^(?:(?:fe)?male/)?[a-z]{2,3}-[A-Z]{2}(?:[-/]|$)' },
        }),
      },
      'Text to speak (media_source tts)',
      ours,
    ),
    prompt_id: text('Prompt of the service that it replaces', { ...ours, option: true }),
    streamable: flag('May be streamed', { ...ours, option: true, convention: { default: true } }),
    content_type: text('Content type of its file, set by an upload', {
      ...ours,
      convention: { enum: mediaTypes },
    }),
    content_length: integer('Size of its file in bytes, set by an upload', {
      shownAs: 'bytes',
      ...ours,
      convention: { minimum: 1, maximum: 11_534_336 },
    }),
    source_id: text('Record that created it', { ...ours, convention: { minLength: 32, maxLength: 32 } }),
    source_type: text('Module that created it', ours),
    is_prompt: flag('Is a prompt', { ...ours, readOnly: true }),
  }),
  patchedByUpdate: true,
  required: [{ fields: ['name'], on: ['create', 'update'], source: 'convention' }],
  columns: [
    'name',
    { header: 'SOURCE', paths: ['media_source'] },
    'language',
    { header: 'PROMPT', paths: ['is_prompt'], show: 'flag' },
    'id',
  ],
  sections: [{ order: 12 }],
  listFields: ['name', 'media_source', 'language', 'is_prompt'],
  operations: [
    collection({ without: ['patch'] }),
    {
      download: {
        route: `GET ${path}/{media_id}/raw`,
        reply: { kind: 'file', types: mediaTypes },
        summary: 'Download the file of a medium',
      },
      upload: {
        route: `POST ${path}/{media_id}/raw`,
        body: { kind: 'file', types: mediaTypes, largest: largestMedia },
        summary: 'Upload the file of a medium, replacing the current one',
      },
      languages: {
        route: `GET ${path}/languages`,
        reply: { kind: 'list', items: counts('Number of media, by language') },
        summary: 'Count media by language',
      },
      language: showOperation(
        `${path}/languages/{language}`,
        'List the ids of the media in a language',
        texts('Ids of the media'),
      ),
      prompts: {
        route: `GET ${path}/prompts`,
        reply: { kind: 'list', items: counts('Number of languages, by prompt') },
        summary: 'Count the languages of each prompt',
      },
      prompt: {
        route: `GET ${path}/prompts/{prompt_id}`,
        reply: {
          kind: 'list',
          items: openObject({ id: shared.id, has_attachments: flag('Has a file', ours) }, 'A medium'),
        },
        summary: 'List the media of one prompt',
      },
    },
  ],
});

type MediaType = (typeof mediaTypes)[number];

/** File signatures with their byte offsets. */
const marks: readonly (readonly [at: number, mark: string, type: MediaType])[] = [
  [0, 'ID3', 'audio/mpeg'],
  [8, 'WAVE', 'audio/x-wav'],
  [0, 'OggS', 'audio/ogg'],
  [0, 'FLV', 'video/x-flv'],
  [4, 'ftypqt', 'video/quicktime'],
  [4, 'moov', 'video/quicktime'],
  [4, 'ftyp', 'video/mp4'],
  [0, '\x1a\x45\xdf\xa3', 'video/webm'],
  [0, '\x00\x00\x01\xba', 'video/mpeg'],
  [0, '\x00\x00\x01\xb3', 'video/mpeg'],
  [0, '\x00\x00\x00\x01', 'video/h264'],
];

const endings: Readonly<Partial<Record<MediaType, readonly string[]>>> = {
  'audio/mpeg': ['mp3'],
  'audio/x-wav': ['wav'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'video/x-flv': ['flv'],
  'video/h264': ['h264', '264'],
  'video/mpeg': ['mpg', 'mpeg'],
  'video/quicktime': ['mov', 'qt'],
  'video/mp4': ['mp4', 'm4v', 'm4a'],
  'video/webm': ['webm'],
};

/** MPEG audio without a tag begins with eleven set bits. */
const isBareSound = ([first, second = 0]: Uint8Array): boolean => first === 0xff && (second & 0xe0) === 0xe0;

/** Detects the content type from the first bytes. Returns `undefined` if the file extension is of another type. */
export function typeOfContent(bytes: Uint8Array, path: string): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const found = marks.find(([at, mark]) => start.startsWith(mark, at))?.[2];
  const type = found ?? (isBareSound(bytes) ? 'audio/mpeg' : undefined);
  const [, ending = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? [];
  const said = Object.entries(endings).find(([, each]) => each.includes(ending))?.[0];
  return said === undefined || said === type ? type : undefined;
}

export function fileExtension(type: string): string {
  if (/mp3|mpeg3?$/.test(type) && type.startsWith('audio/')) return 'mp3';
  const [known] = Object.entries(endings).find(([each]) => each === type)?.[1] ?? [];
  return known ?? type.replace(/^.*\/(?:x-)?/, '').replaceAll(/\W/g, '');
}

/** By file extension. */
const documentEndings: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.ico': 'image/x-icon',
  '.html': 'text/html',
  '.htm': 'text/html',
};

/** Returns the type of a file extension if it is in `types`. CSV files can have any extension. */
export function documentTypeOf(ending: string, types: readonly string[]): string | undefined {
  const type = types[0] === 'text/csv' ? 'text/csv' : documentEndings[ending.toLowerCase()];
  return type !== undefined && types.includes(type) ? type : undefined;
}
