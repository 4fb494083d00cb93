import { flag, integer, required, text } from '../fields.ts';
import { listing, resource, value } from '../resource.ts';

const path = '/accounts/{account_id}/registrations';
const made = { readOnly: true } as const;

const count = value(required({ count: integer('Number of registrations') }, 'How many there are'));
const word = value(text('ok'));

/** Phones that are registered now: live data of the registrars, which no store keeps (Conventions, Registrations). */
export const registrations = resource({
  name: 'registrations',
  singular: 'registration',
  summary: 'Phones that are registered now',
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
    authorizing_type: text('Kind of what is registered: device, mobile or sys_info', made),
    owner_id: text('Owner of the device', { ...made, ref: 'users' }),
    presence_id: text('Name of its lamp', made),
    contact: text('Address of the phone as it is kept', made),
    original_contact: text('Address as the phone sent it', made),
    previous_contact: text('Address that this one took the place of', made),
    contact_ip: text('Host of the address', made),
    contact_port: integer('Port of the address', { ...made, convention: { alsoType: ['string'] } }),
    network_ip: text('Address that it comes from', made),
    network_port: text('Port that it comes from', made),
    source_ip: text('Address behind the proxy', made),
    source_port: text('Port behind the proxy', made),
    proxy_path: text('Proxies on its way', made),
    proxy_ip: text('Address of the proxy', made),
    proxy_port: text('Port of the proxy', made),
    proxy_protocol: text('Protocol of the proxy', made),
    user_agent: text('What the phone calls itself', made),
    call_id: text('Call id of the registration', made),
    from_user: text('User that it comes from', made),
    from_host: text('Host that it comes from', made),
    to_user: text('User that it goes to', made),
    to_host: text('Host that it goes to', made),
    expires: integer('Seconds for which it is good', { ...made, shownAs: 'seconds' }),
    event_timestamp: integer('Last time that it registered, in Gregorian seconds', {
      ...made,
      shownAs: 'moment',
    }),
    last_registration: integer('The same', made),
    initial_registration: integer('First time that it registered, in Gregorian seconds', {
      ...made,
      shownAs: 'moment',
    }),
    first_registration: flag('It registered once only', made),
    suppress_unregister_notify: flag('Its end is not told', made),
    register_overwrite_notify: flag('It is told when another phone takes over', made),
    registrar_node: text('Server that keeps it', made),
    registrar_hostname: text('Host of that server', made),
    bridge_ruri: text('Address that calls go to', made),
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
    manifests: 'Who is registered now is no setting',
    page: 'Registrations are shown with the phones that they are of',
    trial: 'no phone registers at a new account',
  },
  operations: [
    {
      list: listing(path, 'List the phones that are registered'),
      count: { route: `GET ${path}/count`, reply: count, summary: 'Count the phones that are registered' },
      end: {
        route: `DELETE ${path}/{username}`,
        reply: word,
        summary: 'End the registrations of a SIP user name',
      },
      'end-all': { route: `DELETE ${path}`, reply: word, summary: 'End all registrations of an account' },
      'list-everywhere': listing('/registrations', 'List the phones that are registered, of all accounts', {
        role: 'super',
      }),
      'count-everywhere': {
        route: 'GET /registrations/count',
        reply: count,
        role: 'super',
        summary: 'Count the phones that are registered, of all accounts',
      },
    },
  ],
});
