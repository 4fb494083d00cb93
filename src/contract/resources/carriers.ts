import {
  anything,
  flag,
  freeObject,
  integer,
  list,
  mapOf,
  object,
  openObject,
  text,
  texts,
} from '../fields.ts';
import { collection, resource, timeRangeFilters } from '../resource.ts';
import type { Schema } from '../schema-node.ts';
import * as shared from '../structures.ts';

const affix = (doc: string) => text(doc, { convention: { maxLength: 64 } });
const callerIdType = text('Caller id to send', {
  convention: { enum: ['internal', 'external', 'emergency'] },
});
const weight = integer('Weight: lower values are tried first', {
  option: true,
  convention: { minimum: 0, maximum: 100, default: 50 },
});

const codecs = [
  'G729',
  'PCMU',
  'PCMA',
  'G722_16',
  'G722_32',
  'CELT_48',
  'CELT_64',
  'Speex',
  'GSM',
  'OPUS',
  'H261',
  'H263',
  'H264',
  'VP8',
];

const gateway = () =>
  openObject(
    {
      server: text('Host or address of the carrier', {
        outward: true,
        convention: { minLength: 1, maxLength: 128 },
      }),
      port: integer('Port', { convention: { default: 5060 } }),
      username: text('Name to sign in with', { convention: { maxLength: 32 } }),
      password: text('Password to sign in with', { secret: true, convention: { maxLength: 32 } }),
      realm: affix('Realm to sign in at'),
      enabled: flag('May be used', { convention: { default: true } }),
      endpoint_type: text('Kind of line', {
        convention: { enum: ['sip', 'freetdm', 'skype', 'amqp'], default: 'sip' },
      }),
      invite_format: text('Format of the numbers sent to the carrier', {
        convention: { enum: ['route', 'username', 'e164', 'npan', '1npan', 'strip_plus'], default: 'route' },
      }),
      prefix: affix('Digits added before the number'),
      suffix: affix('Digits added after the number'),
      codecs: list(text('A codec', { convention: { enum: codecs } }), 'Codecs, best first', {
        convention: { uniqueItems: true },
      }),
      caller_id_type: callerIdType,
      bypass_media: flag('Audio bypasses the service'),
      force_port: flag('Accept calls from this port only', { convention: { default: false } }),
      format_from_uri: flag('Rewrite the From header'),
      from_uri_realm: text('Realm of the From header'),
      inbound_ip: text('Source address of calls, if it differs from the server'),
      progress_timeout: integer('Seconds to wait for ringing'),
      register: flag('Register with the carrier'),
      route: text('Fixed SIP address for every call', { secretBearing: true }),
      custom_sip_headers: openObject({}, 'SIP headers to send, by name', { secret: true }),
      custom_sip_interface: text('Outbound interface of the switch'),
      invite_parameters: openObject(
        { dynamic: list(anything(), 'Names of properties of the call'), static: texts('Static texts') },
        'Parameters of the request URI',
      ),
      channel_selection: text('Order in which channels of a line are used', {
        convention: { enum: ['ascending', 'descending'], default: 'ascending' },
      }),
      skype_rr: flag('Rotate among Skype accounts', { convention: { default: true } }),
      media: openObject(
        { fax_option: flag('Support T.38 for faxes'), rtcp_mux: flag('Use one port for RTP and RTCP') },
        'Media settings',
      ),
    },
    'A gateway of the carrier',
    { convention: { required: ['server'] } },
  );

/** Templates and the carriers of the whole service have the same fields. */
export const carrierRecord = (doc: string): Schema =>
  object(
    {
      id: shared.id,
      name: shared.name,
      gateways: list(gateway(), 'Gateways of the carrier, tried in the order of gateway_strategy'),
      enabled: flag('May be used', { option: true, convention: { default: true } }),
      weight_cost: weight,
      emergency: flag('Carries emergency calls', { option: true, convention: { default: false } }),
      rules: texts('Regular expressions for dialed numbers; the first captured group is sent', {
        convention: { default: [] },
      }),
      rules_test: texts('Regular expressions for numbers of test calls', { convention: { default: [] } }),
      cid_rules: texts("Regular expressions for the caller's number"),
      classifiers: mapOf(
        object(
          {
            enabled: flag('May be used', { convention: { default: true } }),
            emergency: flag('Carries emergency calls', { convention: { default: false } }),
            prefix: affix('Digits added before the number'),
            suffix: affix('Digits added after the number'),
            regex: text('Regular expression that replaces the one of the class'),
            weight_cost: weight,
          },
          'Settings for a number class',
        ),
        'Settings by number class, such as did_us; used instead of rules',
      ),
      flags: texts('Flags that the carrier accepts (it skips calls with other flags)', {
        convention: { default: [] },
      }),
      ignore_flags: flag('Accept calls with any flags'),
      require_flags: flag('Skip calls without flags'),
      caller_id_options: openObject({ type: callerIdType }, 'Caller ids'),
      gateway_strategy: text('Order of the gateways', {
        convention: { enum: ['sequential', 'random'] },
      }),
      grace_period: integer('Seconds before the next carrier is tried in parallel', {
        option: true,
        convention: { minimum: 1, maximum: 20, default: 5 },
      }),
      from_account_realm: flag("Send the caller's realm in the From header", {
        convention: { default: false },
      }),
      from_uri_realm: text('Realm of the From header; overrides from_account_realm'),
      format_from_uri: flag('Rewrite the From header'),
      flat_rate_blacklist: text('Numbers that never use flat-rate trunks'),
      flat_rate_whitelist: text('Numbers that may use flat-rate trunks'),
      peer: flag("Accept calls from the gateways' addresses without a password"),
      template_name: text('Template that it was created from', { option: true }),
    },
    doc,
  );

export const carrierFacts = {
  naturalKeys: ['name'],
  section: 'Conventions, Carriers',
  required: [{ fields: ['name', 'gateways'], on: ['create', 'update'], source: 'convention' }],
  lines: [
    {
      flag: 'gateways',
      value: 'HOST,HOST',
      fields: ['gateways'],
      doc: 'Hosts or addresses of the carrier',
    },
  ],
  columns: [
    'name',
    'enabled',
    { header: 'WEIGHT', paths: ['weight_cost'] },
    { header: 'CLASSES', paths: ['classifiers'], show: 'count' },
    { header: 'TEMPLATE', paths: ['template_name'], sparse: true },
    'id',
  ],
  listFields: ['name', 'enabled', 'weight_cost', 'template_name', 'classifiers'],
} as const;

/** The API calls carriers resources (Conventions, Carriers). */
export const carriers = resource({
  ...carrierFacts,
  name: 'carriers',
  singular: 'carrier',
  summary: 'Outside lines of an account (the API calls them resources)',
  order: 150,
  mergesOneLevel: true,
  schema: () => carrierRecord('An outside line'),
  sections: [{ order: 180 }],
  operations: [collection({ path: '/accounts/{account_id}/resources' })],
});

const made = { readOnly: true } as const;

export const carrier_jobs = resource({
  name: 'carrier_jobs',
  singular: 'carrier job',
  summary: 'Jobs that import the numbers of a carrier into an account (resources/jobs)',
  commandWords: ['carriers', 'jobs'],
  order: 151,
  idParameter: 'job_id',
  section: carrierFacts.section,
  doc: 'A job',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    resource_id: text('Carrier of the numbers', { option: true, ref: 'carriers' }),
    numbers: texts('Numbers in E.164 format', { dialled: true, convention: { minItems: 1 } }),
    status: text('pending, running or complete', made),
    timestamp: integer('Time of the request, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    success: freeObject('Imported numbers', made),
    errors: freeObject('Numbers that failed, with the reason', made),
  }),
  required: [{ fields: ['numbers', 'resource_id'], on: ['create'], source: 'convention' }],
  lines: [
    {
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers to import: +14155550100,+14155550101',
    },
  ],
  columns: [
    { header: 'CREATED', paths: ['timestamp'], show: 'time' },
    { header: 'NAME', paths: ['name'], sparse: true },
    'status',
    { header: 'DONE', paths: ['success'], show: 'count' },
    { header: 'FAILED', paths: ['errors'], show: 'count' },
    { header: 'ID', paths: ['id'] },
  ],
  absent: {
    manifests: 'A job is not a setting',
    find: 'The search covers the numbers themselves',
    orphans: 'A job refers to records that may be deleted',
    page: 'A job is not a setting',
    trial: 'numbers would be made',
  },
  operations: [
    collection({
      path: '/accounts/{account_id}/resources/jobs',
      without: ['update', 'patch', 'delete'],
      except: { list: { query: timeRangeFilters } },
    }),
  ],
});

export const carrier_templates = resource({
  ...carrierFacts,
  name: 'carrier_templates',
  singular: 'carrier template',
  summary: 'Templates of outside lines (resource_templates)',
  order: 152,
  idParameter: 'template_id',
  schema: () => carrierRecord('A template of an outside line'),
  absent: { manifests: 'Few accounts can change templates, and other records do not refer to them' },
  operations: [collection({ path: '/accounts/{account_id}/resource_templates' })],
});

export const system_carriers = resource({
  ...carrierFacts,
  name: 'system_carriers',
  singular: 'system carrier',
  summary: 'Outside lines of the whole service (super administrators only)',
  order: 154,
  schema: () => carrierRecord('An outside line of the whole service'),
  absent: { manifests: 'Belongs to the whole service', page: 'Belongs to the whole service' },
  operations: [collection({ path: '/resources', role: 'super' })],
});
