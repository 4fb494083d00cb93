export interface Job {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly writes: boolean;
  /** What it has to be told, each with what it is. */
  readonly takes: Readonly<Record<string, string>>;
  readonly text: (given: Readonly<Record<string, string>>) => string;
}

/** A value that a person gave, quoted: it is a name, not part of the instructions. */
const named = (value: string | undefined): string => JSON.stringify(value ?? '');

const agree = 'Say in plain words what will change, show it with dry-run, and go on only when I agree.';

/** The jobs, most frequent first. Commands in backquotes are the tools' nouns and verbs; a test holds them to the registry. */
export const jobs: readonly Job[] = [
  {
    name: 'call-path',
    title: 'What happens to a call',
    description: 'Follow a call to a number through the callflows, and say where it ends',
    writes: false,
    takes: { number: 'The number that is called, or the extension' },
    text: ({ number }) =>
      `What happens when somebody calls ${named(number)}? Use \`callflows trace\` for the steps now and at night, \`callflows lint\` for faults on the way, and \`find\` for where else the number stands. Tell me in a few sentences who rings, for how long, and where the call ends; name what looks wrong.`,
  },
  {
    name: 'take-on-user',
    title: 'Set up a new user',
    description: 'A user with a phone, a mailbox and an extension',
    writes: true,
    takes: { name: 'First and last name', extension: 'The extension, such as 2004' },
    text: ({ name, extension }) =>
      `Take on ${named(name)} with the extension ${named(extension)}. Look with \`users list\` and \`find\` whether the name or the extension is taken. A user is made with a password, which is for people: give me the line (telctl users create …) to run myself, and go on when I have. Then make a phone that belongs to it (\`devices create\`), a mailbox (\`vmboxes create\`), and a callflow that rings the user and then takes a message (\`callflows create\`). ${agree} Passwords are for me: do not choose or show one. At the end check it with \`callflows trace\`.`,
  },
  {
    name: 'let-user-go',
    title: 'Delete a user who leaves',
    description: 'Find everything that refers to a user, and remove or redirect it',
    writes: true,
    takes: { user: 'Username, e-mail address or id', successor: 'Who gets the calls from now on' },
    text: ({ user, successor }) =>
      `${named(user)} leaves; calls go to ${named(successor)} from now on. Find with \`find\`, \`callflows list\`, \`devices list\` and \`vmboxes list\` what refers to the user. ${agree} Redirect callflows (\`callflows patch\`) before anything is deleted, disable the user first (\`users disable\`), and delete nothing with "force".`,
  },
  {
    name: 'account-health',
    title: 'Review an account',
    description: 'Faults and leftovers of an account',
    writes: false,
    takes: {},
    text: () =>
      'Look the account over: `doctor`, `orphans`, `callflows lint`, `webhooks health`, users without an e-mail address (`users list`), devices without an owner (`devices list`). Give me a list, worst first: what is wrong, why it matters, and which command would correct it. Change nothing.',
  },
  {
    name: 'webhook-fails',
    title: 'Why a webhook fails',
    description: 'Deliveries of a webhook, and what stands in their way',
    writes: false,
    takes: { webhook: 'Name or id of the webhook' },
    text: ({ webhook }) =>
      `Why does the webhook ${named(webhook)} fail? Look at \`webhooks get\`, \`webhooks attempts\` and \`webhooks health\`. Tell me since when, what the receiver answered, and what to correct on which side.`,
  },
  {
    name: 'account-in-git',
    title: 'Keep an account in Git',
    description: 'The account as a manifest, with checks and plans',
    writes: false,
    takes: {},
    text: () =>
      'I want to keep this account in Git. Show me with `export` what its manifest looks like, and tell me how to write it to a file myself (telctl export --out). Then explain how I work from there: `validate` checks a manifest, `plan` shows what an apply would do, and I run telctl apply myself or in CI. Name what `plan` would still change after the first export.',
  },
];
