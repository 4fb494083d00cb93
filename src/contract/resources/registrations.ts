import { flag, integer, required, text } from '../fields.ts';
import { listOperation, resource, value } from '../resource.ts';

const path = '/accounts/{account_id}/registrations';
const made = { readOnly: true } as const;

const count = value(required({ count: integer('Number of registrations') }, 'Count'));
const word = value(text('ok'));

/** Live data of the registrars, which no service stores (Conventions, Registrations). */
export const registrations = resource({
  name: 'registrations',
  singular: 'registration',
  summary: 'Phones that are currently registered',
  order: 27,
  idParameter: 'username',
  idElsewhere: 'username',
  naturalKeys: ['username'],
  section: 'Conventions, Registrations',
  doc: 'A registered phone',
  fields: () => ({
    username: text('SIP user name', made),
    realm: text('SIP realm', made),
    account_name: text('Name of the account', made),
    account_realm: text('Realm of the account', made),
    authorizing_id: text('Device', { ...made, ref: 'devices' }),
    authorizing_type: text('Type of the registered endpoint: device, mobile or sys_info', made),
    owner_id: text('Owner of the device', { ...made, ref: 'users' }),
    presence_id: text('Name of its lamp', made),
    contact: text('Stored contact address of the phone', made),
    original_contact: text('Contact address sent by the phone', made),
    previous_contact: text('Previous contact address', made),
    contact_ip: text('Host of the address', made),
    contact_port: integer('Port of the address', { ...made, convention: { alsoType: ['string'] } }),
    network_ip: text('Source address', made),
    network_port: text('Source port', made),
    source_ip: text('Address behind the proxy', made),
    source_port: text('Port behind the proxy', made),
    proxy_path: text('Proxies on the path', made),
    proxy_ip: text('Address of the proxy', made),
    proxy_port: text('Port of the proxy', made),
    proxy_protocol: text('Protocol of the proxy', made),
    user_agent: text('User agent of the phone', made),
    call_id: text('Call id of the registration', made),
    from_user: text('User of the From header', made),
    from_host: text('Host of the From header', made),
    to_user: text('User of the To header', made),
    to_host: text('Host of the To header', made),
    expires: integer('Seconds until it expires', { ...made, shownAs: 'seconds' }),
    event_timestamp: integer('Time of the last registration, in Gregorian seconds', {
      ...made,
      shownAs: 'moment',
    }),
    last_registration: integer('The same', made),
    initial_registration: integer('Time of the first registration, in Gregorian seconds', {
      ...made,
      shownAs: 'moment',
    }),
    first_registration: flag('Registered only once', made),
    suppress_unregister_notify: flag('Do not notify when the registration expires', made),
    register_overwrite_notify: flag('Notify when another phone takes over the registration', made),
    registrar_node: text('Registrar server', made),
    registrar_hostname: text('Host of the registrar server', made),
    bridge_ruri: text('Address for calls', made),
  }),
  columns: [
    'username',
    { header: 'FROM', paths: ['contact_ip', 'contact_port'] },
    'user_agent',
    { header: 'SINCE', paths: ['initial_registration'], show: 'time' },
    { header: 'LAST', paths: ['event_timestamp'], show: 'time' },
    'expires',
    { header: 'DEVICE', paths: ['authorizing_id'], show: 'id', refers: 'devices' },
  ],
  absent: {
    manifests: 'A registration is not a setting',
    page: 'Registrations are shown with their phones',
    trial: 'no phone registers at a new account',
  },
  operations: [
    {
      list: listOperation(path, 'List registered phones'),
      count: { route: `GET ${path}/count`, reply: count, summary: 'Count registered phones' },
      end: {
        route: `DELETE ${path}/{username}`,
        reply: word,
        summary: 'End the registrations of a SIP user name',
      },
      'end-all': { route: `DELETE ${path}`, reply: word, summary: 'End all registrations of an account' },
      'list-everywhere': listOperation('/registrations', 'List registered phones of all accounts', {
        role: 'super',
      }),
      'count-everywhere': {
        route: 'GET /registrations/count',
        reply: count,
        role: 'super',
        summary: 'Count registered phones of all accounts',
      },
    },
  ],
});
