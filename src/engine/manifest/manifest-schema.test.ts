// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import yaml from 'yaml';
import { isObject } from '../../base/json.ts';
import { kinds } from './kinds.ts';
import { manifestSchema } from './manifest-schema.ts';

const schema = manifestSchema();
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
ajvFormats.default(ajv, ['email', 'uri']);
const check = ajv.compile(schema);

const examples = globSync('examples/**/*.yaml').filter((file) =>
  readFileSync(file, 'utf8').includes('schemas/manifest.json'),
);

describe('the manifest schema', () => {
  it.each(examples)('accepts every document of %s, which refers to it by a valid path', (file) => {
    const text = readFileSync(file, 'utf8');
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(text) ?? [];
    expect(resolve(dirname(file), path)).toBe(resolve('schemas/manifest.json'));
    for (const document of yaml.parseAllDocuments(text)) {
      check(document.toJS());
      expect(check.errors ?? []).toEqual([]);
    }
  });

  it('has every section and no others', () => {
    const { properties } = schema;
    expect(isObject(properties) ? Object.keys(properties) : []).toEqual([
      '$schema',
      'account',
      'country',
      'set',
      'use',
      ...kinds.map(({ name }) => name),
    ]);
    expect(check({ user: {} })).toBe(false);
    expect(check({ 'x-anchors': { any: 'thing' } })).toBe(true);
  });

  it.each([
    [{ users: { alice: { username: 'alice', password: '${env.P}', enabled: '${env.ON}', timezone: null } } }],
    [{ menus: { m: { retries: 3, hunt: false, protect: true, renamed_from: 'old' } } }],
    [{ vmboxes: { v: { mailbox: 100, owner_id: '${users.alice}', pin: 1234 } } }],
    [{ groups: { g: { endpoints: { '${users.alice}': { type: 'user', weight: '${var.w}' } } } } }],
    [
      {
        callflows: {
          c: { numbers: ['+15551230000', 100], flow: { module: 'user', data: { id: 'x', n: 1 } } },
        },
      },
    ],
    [{ callflows: { c: { flow: { children: { _: { children: { 1: { module: 'hangup' } } } } } } } }],
    [{ limits: { twoway_trunks: 4 }, account: 'acme', set: 'office', $schema: './manifest.json' }],
    [{ users: null, menus: { m: { id: 'm1', name: 'Main' } } }],
    [null],
  ])('accepts %j', (manifest) => {
    expect(check(manifest)).toBe(true);
  });

  it.each([
    [{ users: { alice: { frist_name: 'A' } } }],
    [{ users: { alice: { enabled: 'perhaps' } } }],
    [{ numbers: { '+15551230000': { id: '123' } } }],
    [{ users: { 'a{b}': {} } }],
    [{ menus: { m: { retries: 99 } } }],
    [{ limits: { renamed_from: 'x' } }],
    [{ callflows: { c: { flow: { children: { _: { module: [7] } } } } } }],
  ])('rejects %j', (manifest) => {
    expect(check(manifest)).toBe(false);
  });

  it('describes how to write secrets and ids', () => {
    expect(schema).toMatchObject({
      $defs: {
        users: { properties: { password: { description: expect.stringContaining('write ${env.NAME}') } } },
        vmboxes: { properties: { owner_id: { description: expect.stringContaining('${users.NAME}') } } },
      },
    });
  });
});
