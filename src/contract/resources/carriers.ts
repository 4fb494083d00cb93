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
import { collection, resource, timeRange } from '../resource.ts';
import type { Schema } from '../schema-node.ts';
import * as shared from '../structures.ts';

const affix = (doc: string) => text(doc, { convention: { maxLength: 64 } });
const callerIdType = text("Which of the caller's ids is sent", {
  convention: { enum: ['internal', 'external', 'emergency'] },
});
const weight = integer('Lower goes first', {
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
      invite_format: text('Form in which numbers are sent', {
        convention: { enum: ['route', 'username', 'e164', 'npan', '1npan', 'strip_plus'], default: 'route' },
      }),
      prefix: affix('Put before the number'),
      suffix: affix('Put after the number'),
      codecs: list(text('A codec', { convention: { enum: codecs } }), 'Codecs, best first', {
        convention: { uniqueItems: true },
      }),
      caller_id_type: callerIdType,
      bypass_media: flag('Sound does not go through the service'),
      force_port: flag('Accept calls from this port only', { convention: { default: false } }),
      format_from_uri: flag('Rewrite the From header'),
      from_uri_realm: text('Realm of the From header'),
      inbound_ip: text('Address that calls come from, where it is not the server'),
      progress_timeout: integer('Seconds to wait for it to ring'),
      register: flag('Register at the carrier'),
      route: text('Fixed SIP address that every call goes to', { secretBearing: true }),
      custom_sip_headers: openObject({}, 'SIP headers to send, by name', { secret: true }),
      custom_sip_interface: text('Interface of the switch that calls leave by'),
      invite_parameters: openObject(
        { dynamic: list(anything(), 'Names of properties of the call'), static: texts('Texts') },
        'Parameters of the request address',
      ),
      channel_selection: text('Which channel of a line is taken', {
        convention: { enum: ['ascending', 'descending'], default: 'ascending' },
      }),
      skype_rr: flag('Take turns among Skype accounts', { convention: { default: true } }),
      media: openObject(
        { fax_option: flag('Send faxes as such'), rtcp_mux: flag('One port for sound and its control') },
        'How sound is sent',
      ),
    },
    'A machine of the carrier that calls go to',
    { convention: { required: ['server'] } },
  );

/** The record of a carrier; templates and the carriers of the whole service have the same fields. */
export const carrierRecord = (doc: string): Schema =>
  object(
    {
      id: shared.id,
      name: shared.name,
      gateways: list(gateway(), 'Machines that calls go to, in the order of gateway_strategy'),
      enabled: flag('May be used', { option: true, convention: { default: true } }),
      weight_cost: weight,
      emergency: flag('Carries emergency calls', { option: true, convention: { default: false } }),
      rules: texts('Expressions that a dialled number must match one of; the first group is sent', {
        convention: { default: [] },
      }),
      rules_test: texts('Expressions for numbers of test calls', { convention: { default: [] } }),
      cid_rules: texts("Expressions that the caller's number must match one of"),
      classifiers: mapOf(
        object(
          {
            enabled: flag('May be used', { convention: { default: true } }),
            emergency: flag('Carries emergency calls', { convention: { default: false } }),
            prefix: affix('Put before the number'),
            suffix: affix('Put after the number'),
            regex: text("Expression in place of the class's own"),
            weight_cost: weight,
          },
          'Settings for a class of numbers',
        ),
        'By class of numbers, such as did_us; in place of rules',
      ),
      flags: texts('Every flag of a call must be here', { convention: { default: [] } }),
      ignore_flags: flag('Carry calls whatever their flags'),
      require_flags: flag('Carry only calls that have flags'),
      caller_id_options: openObject({ type: callerIdType }, 'Caller ids'),
      gateway_strategy: text('Order in which gateways are tried', {
        convention: { enum: ['sequential', 'random'] },
      }),
      grace_period: integer('Seconds before the next carrier is tried as well', {
        option: true,
        convention: { minimum: 1, maximum: 20, default: 5 },
      }),
      from_account_realm: flag("Send the caller's realm in the From header", {
        convention: { default: false },
      }),
      from_uri_realm: text('Realm of the From header; wins'),
      format_from_uri: flag('Rewrite the From header'),
      flat_rate_blacklist: text('Numbers that never use flat-rate trunks'),
      flat_rate_whitelist: text('Numbers that may use flat-rate trunks'),
      peer: flag("Accept calls from the gateways' addresses without a password"),
      template_name: text('Template that it was made from', { option: true }),
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
      doc: 'Hosts or addresses of the carrier; what needs more than that is for a file',
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

/** Outside lines of an account: the API calls them resources (Conventions, Carriers). */
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
  summary: 'Jobs that bring the numbers of a carrier into an account (resources/jobs)',
  commandWords: ['carriers', 'jobs'],
  order: 151,
  idParameter: 'job_id',
  section: carrierFacts.section,
  doc: 'A job',
  fields: () => ({
    id: shared.id,
    name: shared.name,
    resource_id: text('Carrier that the numbers come from', { option: true, ref: 'carriers' }),
    numbers: texts('Numbers, with + and country', { dialled: true, convention: { minItems: 1 } }),
    status: text('pending, running or complete', made),
    timestamp: integer('When it was asked for, in Gregorian seconds', { ...made, shownAs: 'moment' }),
    success: freeObject('Numbers that are there now', made),
    errors: freeObject('Numbers that are not, with the reason', made),
  }),
  required: [{ fields: ['numbers', 'resource_id'], on: ['create'], source: 'convention' }],
  lines: [
    {
      flag: 'numbers',
      value: 'NUMBER,NUMBER',
      fields: ['numbers'],
      doc: 'Numbers that the carrier brings: +14155550100,+14155550101',
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
    manifests: 'A job is no setting',
    find: 'The numbers themselves are searched',
    orphans: 'A job tells of what is gone since',
    page: 'A job is no setting',
    trial: 'numbers would be made',
  },
  operations: [
    collection({
      path: '/accounts/{account_id}/resources/jobs',
      without: ['update', 'patch', 'delete'],
      except: { list: { query: timeRange } },
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
  absent: { manifests: 'Few accounts may write templates, and no record refers to one' },
  operations: [collection({ path: '/accounts/{account_id}/resource_templates' })],
});

export const system_carriers = resource({
  ...carrierFacts,
  name: 'system_carriers',
  singular: 'system carrier',
  summary: 'Outside lines of the whole service, for super administrators',
  order: 154,
  schema: () => carrierRecord('An outside line of the whole service'),
  absent: { manifests: 'They belong to the whole service', page: 'They belong to the whole service' },
  operations: [collection({ path: '/resources', role: 'super' })],
});
