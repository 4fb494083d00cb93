import type { MutationGroup } from './mutation.ts';

export const guards: MutationGroup = {
  tests: [
    'src/cli/commands/profiles/profiles.test.ts',
    'src/cli/commands/api/api.test.ts',
    'src/cli/commands/accounts/api-key.test.ts',
    'src/cli/commands/vmboxes/commands.test.ts',
    'src/cli/commands/services/commands.test.ts',
    'src/cli/commands/manifest/apply/undo.test.ts',
    'src/cli/commands/webhooks/repair.test.ts',
  ],
  mutations: [
    {
      what: 'a command that is an operation of the service takes away without a question',
      file: 'src/cli/commands/operations/operation-handler.ts',
      text: 'asks !== undefined && !context.options.dryRun',
      replacement: "asks === '' && !context.options.dryRun",
    },
    {
      what: 'the API key is replaced without a question',
      file: 'src/cli/commands/accounts/api-key.ts',
      text: "await confirmChange(context, question, 'The API key was not replaced.');",
      replacement: '',
    },
    {
      what: 'a request that asks for a name is sent without',
      file: 'src/cli/commands/guards/guard-request.ts',
      text: 'if (operation.asks && !operation.asks.yesAnswers) await askForName(context, request, guarding.mayAsk);',
      replacement: '',
    },
    {
      what: 'a run is undone without a question',
      file: 'src/cli/commands/manifest/apply/undo.ts',
      text: 'await confirmChange(context, question);',
      replacement: 'if (context.options.dryRun) await confirmChange(context, question);',
    },
    {
      what: 'a read-only profile writes',
      file: 'src/client/api/client.ts',
      text: 'if (readOnly !== undefined) {',
      replacement: "if (readOnly === '') {",
    },
    {
      what: 'the file of a secret is left after a failed create',
      file: 'src/cli/commands/webhooks/create.ts',
      text: 'if (out !== undefined && isNotMade)',
      replacement: "if (out === '' && isNotMade)",
    },
    {
      what: 'the file of a secret goes although the webhook may be there',
      file: 'src/cli/commands/webhooks/create.ts',
      text: 'out !== undefined && isNotMade)',
      replacement: 'out !== undefined)',
    },
  ],
};
