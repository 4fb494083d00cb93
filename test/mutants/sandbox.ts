import type { MutationGroup } from './mutation.ts';

/** Mutations of the sandbox. */
export const sandbox: MutationGroup = {
  tests: [
    'src/extensions/sandbox/events/subscriptions.test.ts',
    'src/extensions/sandbox/server.test.ts',
    'src/extensions/sandbox/collections/generic-resources.test.ts',
    'src/extensions/sandbox/identity/callback.test.ts',
    'src/extensions/sandbox/requests/specification.test.ts',
    'src/extensions/sandbox/operations/webhooks.test.ts',
  ],
  mutations: [
    {
      what: 'the metadata address of one cloud is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['fd00:ec2::254', 128],\n",
      replacement: '',
    },
    {
      what: 'the metadata address of another is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['100.100.100.200', 32],\n",
      replacement: '',
    },
    {
      what: 'the metadata address of a third is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['168.63.129.16', 32],\n",
      replacement: '',
    },
    {
      what: 'the metadata address of a fourth is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['192.0.0.192', 32],\n",
      replacement: '',
    },
    {
      what: 'an address inside NAT64 is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['64:ff9b::', 96],\n",
      replacement: '',
    },
    {
      what: 'an address inside 6to4 is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['2002::', 16],\n",
      replacement: '',
    },
    {
      what: 'a link-local address is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['169.254.0.0', 16],\n",
      replacement: '',
    },
    {
      what: 'a link-local address of IPv6 is sent to',
      file: 'src/extensions/sandbox/events/subscriptions.ts',
      text: "  ['fe80::', 10],\n",
      replacement: '',
    },
    {
      what: 'only the first address of a name is checked',
      file: 'src/extensions/sandbox/events/sender.ts',
      text: 'addresses.map(({ address })',
      replacement: 'addresses.slice(0, 1).map(({ address })',
    },
    {
      what: 'no address of a name is checked',
      file: 'src/extensions/sandbox/events/sender.ts',
      text: 'else if (refusal !== undefined) done(',
      replacement: "else if (refusal === '') done(",
    },
    {
      what: 'a disabled user is signed in by single sign-on',
      file: 'src/extensions/sandbox/operations/callback.ts',
      text: '|| user.body.enabled === false ',
      replacement: '',
    },
    {
      what: 'a disabled account is signed in to by single sign-on',
      file: 'src/extensions/sandbox/operations/callback.ts',
      text: ' || account.body.enabled === false',
      replacement: '',
    },
    {
      what: 'what came of a delivery is not noted after a failed commit',
      file: 'src/extensions/sandbox/events/deliverer.ts',
      text: 'if (isDone) return;',
      replacement: 'return;',
    },
    {
      what: "the attempts log repeats one at a page's edge",
      file: 'src/extensions/sandbox/operations/webhooks.ts',
      text: 'next = last.sequence - 1;',
      replacement: 'next = last.sequence;',
    },
    {
      what: 'a page of attempts begins with the last of the one before',
      file: 'src/extensions/sandbox/operations/webhooks.ts',
      text: 'const further = wanted[page.length];',
      replacement: 'const further = wanted[page.length - 1];',
    },
    {
      what: 'moderator numbers are not unique together',
      file: 'src/contract/resources/conferences.ts',
      text: "field: 'moderator.numbers', within: 'account', pool: 'numbers'",
      replacement: "field: 'moderator.numbers', within: 'account'",
    },
    {
      what: 'member numbers are not unique together',
      file: 'src/contract/resources/conferences.ts',
      text: "field: 'member.numbers', within: 'account', pool: 'numbers'",
      replacement: "field: 'member.numbers', within: 'account'",
    },
    {
      what: 'the sandbox answers the network',
      file: 'src/extensions/sandbox/server.ts',
      text: 'await app.listen({ host: address, port });',
      replacement: "await app.listen({ host: '0.0.0.0', port });",
    },
    {
      what: 'the sandbox answers under any name',
      file: 'src/extensions/sandbox/server.ts',
      text: "if (foreign === 'host' && url !== healthPath)",
      replacement: "if (foreign === 'host' && url === '')",
    },
    {
      what: 'the sandbox answers pages of other origins',
      file: 'src/extensions/sandbox/server.ts',
      text: "if (foreign === 'origin' && !isAllowedOrigin(",
      replacement: "if (foreign === 'origin' && url === '' && !isAllowedOrigin(",
    },
    {
      what: 'a plain user of the sandbox makes itself an administrator',
      file: 'src/extensions/sandbox/rules/users.ts',
      text: '    refuseEscalation(call, before?.body, draft.body);\n',
      replacement: '    refuseEscalation(call, before?.body);\n',
    },
    {
      what: 'a plain user of the sandbox removes an administrator',
      file: 'src/extensions/sandbox/rules/users.ts',
      text: '  refuseRemoval: ({ body }, call) => refuseEscalation(call, body),\n',
      replacement: '',
    },
  ],
};
