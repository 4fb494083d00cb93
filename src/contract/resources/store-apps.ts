import { flag, freeObject, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { listing, resource, showing, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/apps_store';
const one = `${path}/{store_app_id}`;
const made = { readOnly: true } as const;

/** Who may use an app of the web interface in an account. */
const permission = object(
  {
    allowed_users: text('all, admins, or those who are named: specific', {
      convention: { enum: ['all', 'admins', 'specific'] },
    }),
    users: list(object({ id: text('User', { ref: 'users' }) }, 'A user'), 'Those who may'),
  },
  'Who may use the app',
);
const blacklist = openObject({ blacklist: texts('Ids of apps') }, 'Apps that the account is not offered');
const entry = value(openObject({ name: text('The app') }, 'The entry of the account'));

export const store_apps = resource({
  name: 'store_apps',
  singular: 'store app',
  summary: 'Apps of the web interface, and who may use them',
  order: 191,
  naturalKeys: ['name'],
  section: 'Conventions, apps store',
  doc: 'An app',
  fields: () => ({
    id: shared.id,
    name: text('Name', made),
    i18n: mapOf(
      openObject({ label: text('Title'), description: text('What it is for') }, 'Words'),
      'Words by language',
      made,
    ),
    tags: texts('Subjects', made),
    api_url: text('Address of the API that it speaks to', made),
    source_url: text('Address of its code; with the interface where left out', made),
    allowed_users: text('Who may use it', made),
    users: list(freeObject('A user'), 'Those who may', made),
    masqueradable: flag('Works for accounts below', made),
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
    manifests: 'Which apps there are is a matter of the web interface',
    find: 'Apps belong to the web interface',
    orphans: 'Apps belong to the web interface',
    portable: 'Apps belong to the web interface',
    page: 'Apps belong to the web interface',
    trial: 'people would see it in their web interface',
  },
  operations: [
    {
      list: listing(path, 'List the apps of the web interface'),
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
        summary: 'Change who may use an app',
      },
      uninstall: {
        route: `DELETE ${one}`,
        reply: { kind: 'empty' },
        summary: 'Take an app from the users of an account',
      },
      blacklist: {
        ...showing(`${path}/blacklist`, 'Show which apps an account below is not offered', blacklist),
        role: 'above',
      },
      'set-blacklist': {
        route: `POST ${path}/blacklist`,
        role: 'above',
        body: value(blacklist),
        reply: value(blacklist),
        summary: 'Set which apps an account below is not offered',
      },
    },
  ],
});
