import { describe, expect, expectTypeOf, it } from 'vitest';
import { resourceByName, resources } from './catalogue.ts';
import { integer, list, object, text } from './fields.ts';
import {
  findFieldNode,
  isSecretPath,
  knownKeys,
  optionFields,
  requiredFields,
  secretPaths,
  specificationSchema,
  withConventions,
} from './schema.ts';
import type { Static } from './schema-node.ts';

const { schema: user } = resourceByName('users');
const { schema: callflow } = resourceByName('callflows');
const webhooks = resourceByName('webhooks');

it('a schema is plain data with an inferred static type', () => {
  const schema = object({ name: text('Name'), ports: list(integer('Port'), 'Ports') }, 'A host');
  expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{ name?: string; ports?: number[] }>();
  expect(schema).toEqual({
    type: 'object',
    description: 'A host',
    properties: {
      name: { type: 'string', description: 'Name' },
      ports: { type: 'array', description: 'Ports', items: { type: 'integer', description: 'Port' } },
    },
  });
});

describe('findFieldNode', () => {
  it('resolves paths through objects, lists and maps', () => {
    expect(findFieldNode(user, 'caller_id.external.name')?.type).toBe('string');
    expect(findFieldNode(user, 'profile.addresses.0.types.1')?.type).toBe('string');
    expect(findFieldNode(user, 'formatters.any_field.0.strip')?.type).toBe('boolean');
    expect(findFieldNode(user, 'dial_plan.^9%2E$.prefix')?.type).toBe('string');
  });

  it('follows a flow to any depth', () => {
    expect(findFieldNode(callflow, 'flow.children._.children.1.module')?.type).toBe('string');
    expect(findFieldNode(withConventions(callflow), 'flow.children._.children.1.module')?.type).toBe(
      'string',
    );
  });

  it('returns undefined for unknown fields and resolves any key of an open object', () => {
    expect(findFieldNode(user, 'usrname')).toBeUndefined();
    expect(findFieldNode(user, 'caller_id.external.nam')).toBeUndefined();
    expect(findFieldNode(user, 'constructor')).toBeUndefined();
    expect(findFieldNode(user, 'username.first')).toBeUndefined();
    expect(findFieldNode(user, 'directories.abc')).toBeDefined();
  });
});

describe('derived schemas', () => {
  it('keep the conventions apart from the specification', () => {
    expect(findFieldNode(specificationSchema(user), 'priv_level')).not.toHaveProperty('enum');
    expect(findFieldNode(withConventions(user), 'priv_level')).toMatchObject({
      enum: ['user', 'admin'],
      default: 'user',
    });
  });

  it('prefer the specification over the conventions', () => {
    expect(findFieldNode(withConventions(webhooks.schema), 'retries')).toMatchObject({
      default: 2,
      minimum: 0,
      maximum: 4,
    });
  });

  it('omit fields that only the conventions define from the specification', () => {
    expect(knownKeys(specificationSchema(webhooks.schema)).keys).toEqual([
      'name',
      'uri',
      'hook',
      'http_verb',
      'format',
      'retries',
      'enabled',
      'include_subaccounts',
      'custom_data',
    ]);
  });

  it('are self-contained, without ids that could clash', () => {
    const text = JSON.stringify(withConventions(callflow));
    expect(text).not.toContain('$id');
    expect(text).not.toContain('x-convention');
    expect(text).toContain('#/$defs/flow_node');
  });
});

describe('secrets', () => {
  it('are marked on every field that contains one', () => {
    expect(Object.fromEntries(resources.map((each) => [each.name, secretPaths(each)]))).toMatchObject({
      users: [
        'password',
        'hotdesk.pin',
        ...flowSecrets('metaflows.numbers.*'),
        ...flowSecrets('metaflows.patterns.*'),
      ],
      conferences: ['bridge_password', 'member.pins', 'moderator.pins'],
      vmboxes: ['pin'],
      menus: ['record_pin'],
      ports: ['bill.account_number', 'bill.pin'],
      webhooks: ['custom_data'],
      apps: ['secret'],
      limits: [],
    });
  });

  it('include every field inside a secret', () => {
    expect(isSecretPath(webhooks.schema, 'custom_data.token')).toBe(true);
    expect(isSecretPath(webhooks.schema, 'name')).toBe(false);
  });
});

function flowSecrets(node: string): readonly string[] {
  return [`${node}.data.pin`, `${node}.data.custom_data`];
}

describe('optionFields', () => {
  it('returns scalar fields by flag, with their choices', () => {
    const options = new Map(optionFields(webhooks).map((option) => [option.flag, option]));
    expect(options.get('http-verb')).toMatchObject({ field: 'http_verb', choices: ['get', 'post', 'put'] });
    expect(options.get('retries')?.type).toBe('integer');
    expect(options.get('hook')?.suggestions).toContain('channel_answer');
  });

  it('returns no secrets', () => {
    const secret = resources.flatMap((resource) =>
      optionFields(resource).filter(({ field }) => isSecretPath(resource.schema, field)),
    );
    expect(secret).toEqual([]);
  });
});

describe('requiredFields', () => {
  it('distinguishes the specification from the conventions', () => {
    const vmboxes = resourceByName('vmboxes');
    expect(requiredFields(vmboxes, 'update', ['specification'])).toEqual(['mailbox', 'name']);
    expect(requiredFields(vmboxes, 'create', ['specification'])).toEqual([]);
    expect(requiredFields(vmboxes, 'create', ['specification', 'convention'])).toEqual(['mailbox', 'name']);
  });
});
