import { expect, test } from 'vitest';
import { maxRecordDepth } from '../../../src/base/json.ts';
import { openWorld } from '../../support/world.ts';

/** Returns nested objects, lists or steps as JSON, written without recursion. */
function nestedJson(levels: number, kind: 'map' | 'list' | 'flow'): string {
  const open = { list: '[', map: '{"a":', flow: '{"module":"sleep","data":{},"children":{"_":' }[kind];
  const inner = kind === 'flow' ? '{"module":"sleep","data":{}}' : '1';
  const close = { list: ']', map: '}', flow: '}}' }[kind];
  return `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
}

const depths = [5, 30, 44, 45, 95, 300, 10_000] as const;

for (const kind of ['map', 'list', 'flow'] as const)
  test(`a ${kind} of any depth is stored and returned, or refused with 400 and exit code 10`, async () => {
    const world = await openWorld();
    for (const depth of depths) {
      const flow =
        kind === 'flow'
          ? nestedJson(depth, kind)
          : `{"module":"sleep","data":{"x":${nestedJson(depth, kind)}},"children":{}}`;
      const name = `deep ${depth}`;
      const body = `{"data":{"name":"${name}","numbers":["${5000 + depth}"],"flow":${flow}}}`;
      const token = await world.sandbox.adminToken();
      const reply = await world.sandbox.app.inject({
        method: 'PUT',
        url: `/v2/accounts/${world.seed.accountId}/callflows`,
        headers: { 'x-auth-token': token, 'content-type': 'application/json' },
        payload: body,
      });
      expect([201, 400], `${kind} ${depth}: ${reply.payload.slice(0, 300)}`).toContain(reply.statusCode);
      const files = {
        'deep.json': `{"name":"file ${depth}","numbers":["${20_000 + depth}"],"flow":${flow}}`,
        'deep.yaml': `{name: file ${depth}, numbers: ["${40_000 + depth}"], flow: ${flow}}`,
        'office.yaml': `callflows: {deep: {name: file ${depth}, numbers: ["${60_000 + depth}"], flow: ${flow}}}`,
      };
      for (const line of [
        'validate -f office.yaml',
        'callflows create -f deep.json',
        'callflows create -f deep.yaml',
        'callflows lint -f office.yaml',
      ]) {
        const run = await world.telctl(line, { files });
        expect([0, 10], `${line} ${depth}: ${run.stderr}`).toContain(run.code);
        expect(run.stderr).not.toContain('bug');
        if (depth <= 30) expect(run.stderr, line).not.toContain('nested');
        if (depth > maxRecordDepth) expect(run.code, line).toBe(10);
      }
      if (reply.statusCode !== 201) continue;
      // Deeply nested values can be shown, drawn, simulated and exported, and the export can be read.
      for (const line of [
        ['callflows', 'get', name],
        ['callflows', 'show', name],
        ['callflows', 'trace', String(5000 + depth)],
        ['callflows', 'lint'],
        ['export', '--out', 'all.yaml', '--force'],
        ['validate', '-f', 'all.yaml'],
      ]) {
        const run = await world.telctl(line);
        expect(run.stderr, line.join(' ')).not.toMatch(/bug|nested deeper/);
        if (line[0] !== 'export' && line[1] !== 'lint')
          expect(run.code, `${line.join(' ')}: ${run.stderr}`).toBe(0);
      }
    }
  });

test('a reply of any depth is refused with one sentence', async () => {
  const world = await openWorld();
  for (const status of [200, 400]) {
    const body = `{"status":"success","data":${nestedJson(10_000, 'map')}}`;
    const run = await world.telctl('users get alice', {
      faults: [{ path: /users/, fault: { kind: 'answer', status, body } }],
    });
    expect(run.stderr).not.toMatch(/bug|\n\s+at /);
    expect(run.code).toBe(status === 200 ? 1 : 10);
  }
});
