import { type JsonObject, textAt } from '../../../base/json.ts';
import { brandFiles, largestBrandFile } from '../../../contract/resources/whitelabel.ts';
import { attachFile, fileAnswer, removeAttachedFile, uploadedFile } from '../attached-files.ts';
import { settingPlace, shownAnswer, validateRecord, writableFields, write } from '../collections/records.ts';
import { invalid, missingField, Refusal, unknownId, unknownName } from '../refusal.ts';
import {
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';

const id = 'whitelabel';
const readBrand = (call: ServiceRequest) => recordIn(call, id, id);

/** Returns the brand of the account. Refuses (404) an account without a brand. */
async function ownBrand(call: ServiceRequest): Promise<StoredRecord> {
  const record = await readBrand(call);
  if (record) return record;
  throw unknownId(id);
}

/** Returns the brand of the domain in the path, in any account. */
async function brandOfDomain({ services: { store }, params }: ServiceRequest): Promise<StoredRecord> {
  const domain = params.domain ?? '';
  const place = { kind: id, scope: '', field: 'domain', value: domain.toLowerCase() };
  const holder = await store.findHolder(place);
  const record = holder && (await store.get(holder));
  if (record) return record;
  throw unknownId(domain);
}

async function writeBrand(call: ServiceRequest, before: StoredRecord | undefined): Promise<StoredRecord> {
  const body = validateRecord(
    call,
    'whitelabel',
    writableFields(call, 'whitelabel'),
    before ? 'update' : 'create',
  );
  return write(call, 'whitelabel', before ?? (await settingPlace(call, id)), body);
}

const answer = (call: ServiceRequest, record: StoredRecord) => shownAnswer(call, 'whitelabel', record);

const create: RequestHandler = async (call) => {
  if (await readBrand(call)) throw new Refusal(409, 'datastore_conflict', 'The account already has a brand.');
  return { ...(await answer(call, await writeBrand(call, undefined))), created: id };
};

type Part = keyof typeof brandFiles;
const parts: readonly Part[] = ['logo', 'icon', 'welcome'];

const remove: RequestHandler = async (call) => {
  const record = await ownBrand(call);
  call.changes.push({ change: 'remove', record, erase: true });
  for (const part of parts) removeAttachedFile(call, record, part);
  const { data } = await answer(call, record);
  return { data: { ...data, _read_only: { deleted: true } }, record };
};

/** Stores a file of the brand. Refuses (400) a file that is missing, too large or of another type. */
const upload =
  (part: Part): RequestHandler =>
  async (call) => {
    const record = await ownBrand(call);
    const file = uploadedFile(call, brandFiles[part], largestBrandFile);
    await attachFile(call, record, { ...file, name: `${part}.${file.type.split('/')[1] ?? 'bin'}` }, part);
    return answer(call, record);
  };

const download =
  (part: Part, find: (call: ServiceRequest) => Promise<StoredRecord>): RequestHandler =>
  async (call) =>
    fileAnswer(call, await find(call), unknownName(part, call.services.behaviour), part);

/** Returns the DNS entries that a domain needs: type, host, purpose and values. */
const requiredDns = (domain: string) =>
  [
    ['CNAME', `portal.${domain}`, 'Web pages', ['ui.sandbox.example']],
    ['CNAME', `api.${domain}`, 'API', ['api.sandbox.example']],
    ['SRV', `_sip._udp.${domain}`, 'Phones', ['10 10 5060 sip.sandbox.example']],
    ['MX', `fax.${domain}`, 'Faxes by mail', ['10 mail.sandbox.example']],
  ] as const;

async function domainOf(call: ServiceRequest): Promise<string> {
  const asked = call.query.get('domain') ?? textAt((await readBrand(call))?.body ?? {}, 'domain');
  if (asked) return asked;
  throw invalid([missingField('domain')]);
}

const dnsEntries =
  (entry: (name: string, mapping: readonly string[], domain: string) => JsonObject): RequestHandler =>
  async (call) => {
    const domain = await domainOf(call);
    const data: Record<string, Record<string, JsonObject>> = {
      A: {},
      CNAME: {},
      MX: {},
      NAPTR: {},
      SRV: {},
      TXT: {},
    };
    for (const [type, host, name, mapping] of requiredDns(domain))
      data[type] = { ...data[type], [host]: entry(name, mapping, domain) };
    return { data };
  };

const fileHandlers = (part: Part): RequestHandlers => ({
  [`whitelabel.${part}`]: download(part, ownBrand),
  [`whitelabel.upload-${part}`]: upload(part),
  [`whitelabel.${part}-of-domain`]: download(part, brandOfDomain),
});

/** Handlers for brands of resellers (Conventions, Whitelabel). Domains below `example` have valid DNS entries. */
export const whitelabelHandlers: RequestHandlers = {
  'whitelabel.get': async (call) => answer(call, await ownBrand(call)),
  'whitelabel.create': create,
  'whitelabel.update': async (call) => answer(call, await writeBrand(call, await ownBrand(call))),
  'whitelabel.delete': remove,
  'whitelabel.of-domain': async (call) => answer(call, await brandOfDomain(call)),
  ...fileHandlers('logo'),
  ...fileHandlers('icon'),
  ...fileHandlers('welcome'),
  'whitelabel.domains': dnsEntries((name, mapping, domain) => ({
    name,
    mapping: [...mapping],
    zone: domain,
  })),
  'whitelabel.check-domains': dnsEntries((_, mapping, domain) => ({
    expected: [...mapping],
    actual: domain.endsWith('.example') ? [...mapping] : [],
  })),
};
