import { flag, freeObject, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { listOperation, resource, showOperation, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/apps_store';
const one = `${path}/{store_app_id}`;
const made = { readOnly: true } as const;

const permission = object(
  {
    allowed_users: text('all, admins, or those who are named: specific', {
      convention: { enum: ['all', 'admins', 'specific'] },
    }),
    users: list(object({ id: text('User', { ref: 'users' }) }, 'A user'), 'Those who may'),
  },
  'Users allowed to use the app',
);
const blacklist = openObject({ blacklist: texts('Ids of apps') }, 'Apps hidden from the account');
const entry = value(openObject({ name: text('The app') }, "The account's entry for the app"));

export const store_apps = resource({
  name: 'store_apps',
  singular: 'store app',
  summary: 'Apps of the web interface, and the users allowed to use them',
  order: 191,
  naturalKeys: ['name'],
  section: 'Conventions, apps store',
  doc: 'An app',
  fields: () => ({
    id: shared.id,
    name: text('Name', made),
    i18n: mapOf(
      openObject({ label: text('Title'), description: text('Purpose') }, 'Words'),
      'Texts, by language',
      made,
    ),
    tags: texts('Subjects', made),
    api_url: text('URL of its API', made),
    source_url: text('URL of its code (default: part of the interface)', made),
    allowed_users: text('Who may use it', made),
    users: list(freeObject('A user'), 'Those who may', made),
    masqueradable: flag('Works when masquerading as an account below', made),
    published: flag('It is offered', made),
  }),
  columns: [
    'name',
    { header: 'TITLE', paths: ['i18n.en-US.label'] },
    { header: 'FOR', paths: ['allowed_users'] },
    'id',
  ],
  commandWords: ['store-apps'],
  absent: {
    manifests: 'Apps belong to the web interface',
    find: 'Apps belong to the web interface',
    orphans: 'Apps belong to the web interface',
    portable: 'Apps belong to the web interface',
    page: 'Apps belong to the web interface',
    trial: 'people would see it in their web interface',
  },
  operations: [
    {
      list: listOperation(path, 'List the apps of the web interface'),
      get: { route: `GET ${one}`, summary: 'Show one app' },
      install: {
        route: `PUT ${one}`,
        reply: entry,
        does: ['privileges'],
        body: value(permission),
        summary: 'Install an app for users of an account',
      },
      allow: {
        route: `POST ${one}`,
        reply: entry,
        does: ['privileges'],
        body: value(permission),
        summary: 'Change the users allowed to use an app',
      },
      uninstall: {
        route: `DELETE ${one}`,
        reply: { kind: 'empty' },
        summary: 'Uninstall an app for the users of an account',
      },
      blacklist: {
        ...showOperation(`${path}/blacklist`, 'Show the apps hidden from an account below', blacklist),
        role: 'above',
      },
      'set-blacklist': {
        route: `POST ${path}/blacklist`,
        role: 'above',
        body: value(blacklist),
        reply: value(blacklist),
        summary: 'Set the apps hidden from an account below',
      },
    },
  ],
});
