import { anything, flag, list, mapOf, object, openObject, text, texts } from '../fields.ts';
import { type OperationRows, resource, value } from '../resource.ts';
import * as shared from '../structures.ts';

const path = '/accounts/{account_id}/whitelabel';
const found = '/whitelabel/{domain}';
const record = { kind: 'record' } as const;

export const brandFiles = {
  logo: ['image/jpg', 'image/jpeg', 'image/png', 'image/gif'],
  icon: ['image/jpg', 'image/jpeg', 'image/png', 'image/gif', 'image/x-icon', 'image/vnd.microsoft.icon'],
  welcome: ['text/html'],
} as const;

/** Size in bytes. */
export const largestBrandFile = 5_242_880;

const filesOf = (part: keyof typeof brandFiles): OperationRows => {
  const types = brandFiles[part];
  const what = part === 'welcome' ? 'welcome page' : part;
  return {
    [part]: {
      route: `GET ${path}/${part}`,
      reply: { kind: 'file', types },
      summary: `Fetch the ${what} of a brand`,
    },
    [`upload-${part}`]: {
      route: `POST ${path}/${part}`,
      body: { kind: 'file', types, largest: largestBrandFile },
      summary: `Give a brand its ${what}`,
    },
    [`${part}-of-domain`]: {
      route: `GET ${found}/${part}`,
      reply: { kind: 'file', types },
      tokenOptional: true,
      summary: `Fetch the ${what} of the brand of a domain`,
    },
  };
};

const hosts = (of: Parameters<typeof mapOf>[0]) =>
  mapOf(mapOf(of, 'By host'), 'By type: A, CNAME, MX, NAPTR, SRV, TXT');
const link = (doc: string) => text(doc, { convention: { format: 'uri' } });
const domainQuery = [{ name: 'domain', doc: 'Domain to check (default: the domain of the brand)' }] as const;

export const whitelabel = resource({
  name: 'whitelabel',
  singular: 'brand',
  summary: 'The brand of a reseller: names, links, logo, welcome page, domain',
  kind: 'singleton',
  order: 186,
  section: 'Conventions, Whitelabel',
  doc: 'A brand',
  fields: () => ({
    id: shared.id,
    company_name: text('Name of the company', { option: true }),
    domain: text('Host name of the web pages', { option: true }),
    fake_api_url: link('URL of the API to show'),
    hide_credits: flag('Hide credits in the web interface', { convention: { default: false } }),
    hide_powered: flag('Hide the "powered by" line in the web interface', { convention: { default: false } }),
    hide_registration: flag('Hide registration in the web interface', { convention: { default: false } }),
    hide_port: flag('Hide port requests from accounts that are not resellers'),
    inbound_trunks_price: text('Displayed price of an inbound trunk'),
    outbound_trunks_price: text('Displayed price of an outbound trunk'),
    twoway_trunks_price: text('Displayed price of a two-way trunk'),
    nav: object({ help: link('Help'), learn_more: link('Learn more') }, 'Links'),
    port: object(
      {
        authority: anything(),
        features: link('Features of porting'),
        loa: link('Letter of authorization form'),
        resporg: link('Form for toll-free numbers'),
        support_email: text('Whom to ask', { convention: { format: 'email' } }),
        terms: link('Terms'),
      },
      'Port requests',
    ),
  }),
  unique: [{ field: 'domain', within: 'service', ignoreCase: true }],
  columns: [{ header: 'COMPANY', paths: ['company_name'] }, 'domain'],
  leftOutAs: 'the brand',
  absent: { manifests: 'Manifests cannot contain the files of a brand' },
  operations: [
    {
      get: { route: `GET ${path}`, reply: record, summary: 'Show the brand of an account' },
      create: {
        route: `PUT ${path}`,
        body: record,
        reply: record,
        summary: 'Create the brand of an account',
      },
      update: { route: `POST ${path}`, body: record, summary: 'Replace the brand of an account' },
      delete: { route: `DELETE ${path}`, reply: record, summary: 'Remove the brand of an account' },
    },
    filesOf('logo'),
    filesOf('icon'),
    filesOf('welcome'),
    {
      'of-domain': {
        route: `GET ${found}`,
        tokenOptional: true,
        summary: 'Show the public brand of a domain',
      },
      domains: {
        route: `GET ${path}/domains`,
        query: domainQuery,
        reply: value(
          hosts(
            openObject(
              {
                name: text('Purpose'),
                zone: text('Zone of the service'),
                mapping: texts('Expected value'),
              },
              'An entry',
            ),
          ),
        ),
        summary: 'List the DNS entries required for a brand',
      },
      'check-domains': {
        route: `POST ${path}/domains`,
        query: domainQuery,
        effect: 'read',
        repeat: 'safe',
        reply: value(
          hosts(
            openObject(
              {
                expected: list(anything(), 'Expected value'),
                actual: list(anything(), 'Value found by the service'),
              },
              'An entry',
            ),
          ),
        ),
        summary: 'Check the DNS entries of a brand',
      },
    },
  ],
});
