import { type JsonObject, valueAt } from '../../../base/json.ts';
import { mediaTypes } from '../../../contract/resources/media.ts';
import {
  attachFile,
  fileAnswer,
  readAttachedFile,
  removeAttachedFile,
  silence,
  wavType,
} from '../attached-files.ts';
import { collectionHandlers, namedRecord } from '../collections/collection.ts';
import { shownAnswer, write } from '../collections/records.ts';
import { invalid, missingField, Refusal, unknownName } from '../refusal.ts';
import {
  nowOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordsIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';

const generic = collectionHandlers('media');

const maxBytes = 11_534_336;

const fileExtensions = new Map([
  ['audio/mp3', 'mp3'],
  ['audio/mpeg', 'mp3'],
  ['audio/mpeg3', 'mp3'],
  ['audio/x-wav', 'wav'],
  ['audio/wav', 'wav'],
  ['audio/ogg', 'ogg'],
]);

/** Returns silence of approximately the length of the spoken text. */
const synthesize = (text: string): Uint8Array => silence(wavType, Math.max(1, Math.ceil(text.length / 15)));

function speechText({ body }: Pick<StoredRecord, 'body'>): string | undefined {
  const said = valueAt(body, 'tts.text');
  return body.media_source === 'tts' && typeof said === 'string' ? said : undefined;
}

/** Attaches speech to a record with a text. Refuses (500) if the service has no speech synthesis. */
async function attachSpeech(
  call: ServiceRequest,
  record: StoredRecord,
  before?: StoredRecord,
): Promise<void> {
  const text = speechText(record);
  const isSame =
    before &&
    text === speechText(before) &&
    valueAt(before.body, 'tts.voice') === valueAt(record.body, 'tts.voice');
  if (text === undefined || isSame) return;
  if (call.services.behaviour.media.speech === 'none')
    throw new Refusal(
      500,
      'unspecified_fault',
      'Speech synthesis is not available.',
      {},
      { isReached: true },
    );
  const name = `text_to_speech_${nowOf(call)}.wav`;
  await attachFile(call, record, { type: wavType, name, bytes: synthesize(text) });
}

const create: RequestHandler = async (call) => {
  const answer = await generic.create(call);
  if (answer.record) await attachSpeech(call, answer.record);
  return answer;
};

const update: RequestHandler = async (call) => {
  const before = await namedRecord(call, 'media');
  const answer = await generic.update(call);
  if (answer.record) await attachSpeech(call, answer.record, before);
  return answer;
};

const remove: RequestHandler = async (call) => {
  const answer = await generic.delete(call);
  if (answer.record) removeAttachedFile(call, answer.record);
  return answer;
};

/** Refuses (400) a file that is missing, empty, too large or of another type. */
function checkUpload({ file, services }: ServiceRequest): NonNullable<ServiceRequest['file']> {
  if (!file) throw invalid([missingField('file')]);
  const { type, bytes } = file;
  const detailed = (value: JsonObject): JsonObject =>
    services.behaviour.records.problems === 'detailed' ? value : {};
  const problem = (
    path: string,
    rule: string,
    message: string,
    target: number | readonly string[],
    value: number | string,
  ) => invalid([{ path, rule, message, target, ...detailed({ value }) }]);
  if (!mediaTypes.some((each) => each === type))
    throw problem('content_type', 'enum', 'is not a content type of media', mediaTypes, type);
  if (bytes.length < 1) throw problem('content_length', 'minimum', 'must be at least 1', 1, 0);
  if (bytes.length > maxBytes)
    throw problem('content_length', 'maximum', `must be at most ${maxBytes}`, maxBytes, bytes.length);
  return file;
}

const upload: RequestHandler = async (call) => {
  const before = await namedRecord(call, 'media');
  const { type, bytes } = checkUpload(call);
  const facts = call.services.behaviour.media.storesFileFacts
    ? { content_type: type, content_length: bytes.length }
    : {};
  const body = { ...before.body, media_source: 'upload', ...facts };
  const record = await write(call, 'media', before, body);
  const name = `uploaded_file_${nowOf(call)}.${fileExtensions.get(type) ?? type.split('/')[1]}`;
  await attachFile(call, record, { type, name, bytes });
  return shownAnswer(call, 'media', record);
};

const download: RequestHandler = async (call) => {
  const record = await namedRecord(call, 'media');
  return fileAnswer(call, record, unknownName(record.id, call.services.behaviour));
};

const languageOf = ({ body }: StoredRecord): string => String(body.language ?? '').toLowerCase() || 'missing';

/** Counts texts. The result is a list with one object. */
function countTexts(texts: readonly string[]) {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const one = Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return counts.size === 0 ? [] : [one];
}

const listAnswer = (data: readonly (JsonObject | string)[], call?: ServiceRequest, key = '') => ({
  data,
  envelope: {
    page_size: data.length,
    ...(call?.services.behaviour.media.hasStartKey ? { start_key: key } : {}),
  },
});

const promptIds = ({ body }: StoredRecord): readonly string[] =>
  typeof body.prompt_id === 'string' ? [body.prompt_id] : [];

const prompt: RequestHandler = async (call) => {
  const wanted = pathParameter(call, 'prompt_id');
  const found = (await recordsIn(call, 'media')).filter((record) => promptIds(record).includes(wanted));
  const items = found.map(async (record) => ({
    id: record.id,
    has_attachments: (await readAttachedFile(call.services.store, record)) !== undefined,
  }));
  return listAnswer(await Promise.all(items), call, wanted);
};

export const mediaHandlers: RequestHandlers = {
  'media.create': create,
  'media.update': update,
  'media.delete': remove,
  'media.upload': upload,
  'media.download': download,
  'media.languages': async (call) => listAnswer(countTexts((await recordsIn(call, 'media')).map(languageOf))),
  'media.language': async (call) => {
    const language = pathParameter(call, 'language').toLowerCase();
    const found = (await recordsIn(call, 'media')).filter((each) => languageOf(each) === language);
    return listAnswer(
      found.map(({ id }) => id),
      call,
      language,
    );
  },
  'media.prompts': async (call) =>
    listAnswer(countTexts((await recordsIn(call, 'media')).flatMap(promptIds))),
  'media.prompt': prompt,
};
