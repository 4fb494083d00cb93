import { expect, test } from 'vitest';
import { readCases } from './read-cases.ts';

const read = async (lines: string) => readCases([{ name: 'calls.yaml', text: lines }]);

/** A file of one case, with some lines in place of its own. */
const withCase = (lines: readonly string[], head = 'at: 2026-11-23 10:00 Europe/Zurich'): string =>
  [head, 'cases:', '  - name: One', ...lines.map((line) => `    ${line}`)].join('\n');

const call = 'call: { from: +13125550100, to: 911 }';
const expected = 'expect: { ends_in: nobody }';

test('scalars keep their written form', async () => {
  const { cases, problems } = await read(withCase([call, 'expect: { emergency: yes, caller_id: 0100 }']));
  expect(problems).toEqual([]);
  expect(cases[0]).toMatchObject({
    ...{ name: 'One', file: 'calls.yaml', line: 3, from: '+13125550100', to: '911' },
    ...{ at: Date.UTC(2026, 10, 23, 9), expect: { emergency: true, callerId: '0100' } },
  });
});

test.each([
  [['at: 2026-11-22 18:05', call, expected], { at: Date.UTC(2026, 10, 22, 17, 5) }],
  [['at: 2026-11-22T18:05Z', call, expected], { at: Date.UTC(2026, 10, 22, 18, 5) }],
  [['at: 2026-07-01 08:00 America/New_York', call, expected], { at: Date.UTC(2026, 6, 1, 12) }],
  [['call: { from: "user:bob", to: 2001, presses: "2,,1#" }', expected], { presses: ['2', '', '1#'] }],
  [['call: { from: 1, to: 2, hangs_up_after: 1m5s }', expected], { hangsUpAfter: 65 }],
  [['call: { from: 1, to: 2, leaves: message 20s }', expected], { leaves: 20 }],
  [[call, expected, 'gaps: allowed'], { allowsGaps: true }],
  [
    [call, expected, 'pivot: { "https://a.example/x": reply.json }'],
    { pivots: new Map([['https://a.example/x', 'reply.json']]) },
  ],
  [
    [call, expected, 'then: [after 10s transfer 2002]'],
    { acts: [{ after: 10, does: 'transfer', argument: '2002' }] },
  ],
  [[call, expected, 'then: [after 3s park]'], { acts: [{ after: 3, does: 'park' }] }],
  [
    [call, expected, 'then: [after 5s presses *1]'],
    { acts: [{ after: 5, does: 'presses', argument: '*1' }] },
  ],
  [
    [call, expected, 'then: [after 20s hangs up caller]'],
    { acts: [{ after: 20, does: 'hangs up', argument: 'caller' }] },
  ],
  [[call, 'expect: { path: [Main, "Menu: 2"] }'], { expect: { path: ['Main', 'Menu: 2'] } }],
  [[call, 'expect: { rings: alice }'], { expect: { rings: ['alice'] } }],
  [
    [call, 'expect: { ends_in: voicemail 2002 }'],
    { expect: { endsIn: { word: 'voicemail', name: '2002' } } },
  ],
  [[call, 'expect: { cause: USER_BUSY, within: 10s }'], { expect: { cause: 'USER_BUSY', within: 10 } }],
  [[call, 'expect: { emergency: false }'], { expect: { emergency: false } }],
  [[call, 'expect: { cdrs: 2, cost: 0.05 }'], { expect: { cdrs: 2, cost: 0.05 } }],
  [
    [call, 'expect: { cdrs: [{ hangup_cause: NORMAL_CLEARING }] }'],
    { expect: { cdrs: [new Map([['hangup_cause', 'NORMAL_CLEARING']])] } },
  ],
  [
    [call, 'expect: { events: [channel_create, channel_destroy] }'],
    { expect: { events: ['channel_create', 'channel_destroy'] } },
  ],
  [
    [call, 'expect: { not: [voicemail, carrier] }'],
    { expect: { not: [{ word: 'voicemail' }, { word: 'carrier' }] } },
  ],
  [[call, 'expect: { not: { answered_by: bob } }'], { expect: { not: { answeredBy: 'bob' } } }],
  [
    [call, expected, 'people: { bob: answers after 12s }'],
    { people: [{ person: 'bob', behaviour: { does: 'answers', after: 12 } }] },
  ],
  [
    [call, expected, 'people: { bob: not registered }'],
    { people: [{ behaviour: { does: 'not registered' } }] },
  ],
])('%j is read', async (lines, wanted) => {
  const { cases, problems } = await read(withCase(lines));
  expect(problems).toEqual([]);
  expect(cases[0]).toMatchObject(wanted);
});

test.each([
  [[call, expected, 'people: { bob: anwers }'], '6:20', 'Did you mean "answers"?'],
  [[call, expected, 'people: { bob: answers after 12 }'], '6:20', 'Did you mean "12s"?'],
  [[call, 'expects: { ends_in: nobody }'], '5:5', 'Did you mean "expect"?'],
  [[call, 'expect: { end_in: nobody }'], '5:15', 'Did you mean "ends_in"?'],
  [[call, 'expect: { ends_in: voicmail 2002 }'], '5:24', 'Did you mean "voicemail"?'],
  [[call, 'expect: { ends_in: carrier main }'], '5:24', 'carrier cannot have a name'],
  [[call, 'expect: { cause: user_busy }'], '5:22', 'cause must be a hangup cause such as'],
  [[call, 'expect: { within: 10 }'], '5:23', 'Did you mean "10s"?'],
  [[call, 'expect: { emergency: maybe }'], '5:26', 'emergency must be yes or no'],
  [[call, 'expect: { cost: much }'], '5:21', 'cost must be an amount'],
  [[call, 'expect: { cdrs: many }'], '5:21', 'cdrs must be the number'],
  [[call, 'expect: { events: [chanel_create] }'], '5:24', 'Did you mean "channel_create"?'],
  [[call, 'expect: { path: { a: b } }'], '5:21', 'each item of the list path must be a text'],
  [[call, 'expect: {}'], '5:13', 'expect is empty'],
  [[call, 'expect: { not: [voicemial] }'], '5:21', 'Did you mean "voicemail"?'],
  [[expected], '3:5', 'the case has no call'],
  [['call: { to: 911 }', expected], '4:11', 'call has no from'],
  [['call: { from: 1, too: 911 }', expected], '4:22', 'Did you mean "to"?'],
  [['call: { from: 1, to: 2, presses: two }', expected], '4:38', 'presses must be keys'],
  [['call: { from: 1, to: 2, leaves: 20s }', expected], '4:37', 'leaves must be like "message 20s"'],
  [['call: { from: 1, to: 2, hangs_up_after: soon }', expected], '4:45', 'hangs_up_after must be a duration'],
  [[call, expected, 'then: [transfer 2002]'], '6:12', 'then must be a list of texts'],
  [[call, expected, 'then: [after 3s tranfer 2002]'], '6:12', 'Did you mean "transfer"?'],
  [[call, expected, 'then: [after 3s hangs up]'], '6:12', 'hangs up takes caller or callee'],
  [[call, expected, 'gaps: allow'], '6:11', 'gaps must be "allowed"'],
  [['at: 2026-11-22 18:05 Europe/Zurch', call, expected], '4:9', 'Did you mean "Europe/Zurich"?'],
  [['at: 2026-02-30 18:05', call, expected], '4:9', 'is not a valid time'],
  [['at: 2026-03-29 02:30', call, expected], '4:9', 'does not exist in Europe/Zurich'],
  [['at: tomorrow', call, expected], '4:9', 'a date and time with a time zone'],
])('%j is refused at its place', async (lines, place, message) => {
  const { problems } = await read(withCase(lines));
  expect(problems.map((each) => `${each.place} ${each.message}`).join('\n')).toContain(message);
  expect(problems[0]?.place).toMatch(new RegExp(`^calls.yaml:${place.split(':')[0]}:`));
});

test('rejects a file without cases, a time without a zone and duplicate names', async () => {
  expect((await read('at: 2026-11-23 10:00 UTC')).problems[0]?.message).toContain('cases must be a list');
  expect((await read(withCase([call, expected], 'at: 2026-11-23 10:00'))).problems[0]).toMatchObject({
    line: 1,
    message: expect.stringContaining('has no time zone'),
  });
  const twice = `${withCase([call, expected])}\n  - name: One\n    ${call}\n    ${expected}`;
  expect((await read(twice)).problems[0]?.message).toContain('two cases have the name "One"');
});
