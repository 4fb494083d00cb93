import type { mediaTypes } from './resources/media.ts';

type MediaType = (typeof mediaTypes)[number];

/** First bytes of files, with the place where they stand. */
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

/** Endings of files, by what they hold. */
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

/** Sound without a tag begins with eleven set bits (MPEG audio). */
const isBareSound = ([first, second = 0]: Uint8Array): boolean => first === 0xff && (second & 0xe0) === 0xe0;

/** The content type of a file by its first bytes; `undefined` where its name ends like another kind. */
export function typeOfContent(bytes: Uint8Array, path: string): MediaType | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const found = marks.find(([at, mark]) => start.startsWith(mark, at))?.[2];
  const type = found ?? (isBareSound(bytes) ? 'audio/mpeg' : undefined);
  const [, ending = ''] = /\.(\w+)$/.exec(path.toLowerCase()) ?? [];
  const said = Object.entries(endings).find(([, each]) => each.includes(ending))?.[0];
  return said === undefined || said === type ? type : undefined;
}

export function endingOf(type: string): string {
  if (/mp3|mpeg3?$/.test(type) && type.startsWith('audio/')) return 'mp3';
  const [known] = Object.entries(endings).find(([each]) => each === type)?.[1] ?? [];
  return known ?? type.replace(/^.*\/(?:x-)?/, '').replaceAll(/\W/g, '');
}

/** Content types of documents and pages, by the endings of their files' names. */
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

/** The one of these content types that a file has by the ending of its name. Rows stand in files of any ending. */
export function documentTypeOf(ending: string, types: readonly string[]): string | undefined {
  const type = types[0] === 'text/csv' ? 'text/csv' : documentEndings[ending.toLowerCase()];
  return type !== undefined && types.includes(type) ? type : undefined;
}
