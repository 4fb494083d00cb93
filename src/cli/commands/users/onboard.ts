import { createHint, Failure, nextStep, withFacts } from '../../../base/failure.ts';
import { valueAt } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { type ApplyReport, doneResults, type Step, type StepResult } from '../../../engine/manifest/plan.ts';
import { createService } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmChange } from '../change.ts';
import { readInputRecords } from '../generic/input.ts';
import { applyJob } from '../manifest/apply/apply-job.ts';
import { stepsToSend } from '../manifest/apply/apply-plans.ts';
import { applyResult } from '../manifest/apply/apply-report.ts';
import { noPlanningOptions } from '../manifest/plan/planning.ts';
import { type CredentialsOutput, credentialsFile, printedCredentials } from './onboard-credentials.ts';
import { askForNewcomer, newcomerFields, type OnboardInput } from './onboard-form.ts';
import { readPeople } from './onboard-people.ts';
import { guardParts, isComplete, type People, planPeople } from './onboard-plan.ts';

/** Sets up people through one plan. A second run creates records that are still missing. */
export async function onboardUser(input: OnboardInput, context: Context): Promise<Result> {
  const files = input.file === undefined ? [] : [input.file];
  // Values from outside are read even in a dry run. The shown plan hides them.
  const reading = { ...context, options: { ...context.options, dryRun: false } };
  const records =
    files.length === 0 ? [] : await readInputRecords(reading, newcomerFields, 'patch', { files });
  if (input.credentials === undefined) {
    if (records.length > 1)
      throw new Failure(
        'usage',
        `${records.length} people need passwords, which telctl only writes to a file.`,
        {
          hint: 'To generate them and write them to a file: --credentials FILE',
        },
      );
    return createPeople(context, input, await askForNewcomer(context, input), printedCredentials(context));
  }
  const { people, inUse } = await readPeople(context, records);
  const incomplete = people.filter((person) => !isComplete(person));
  if (incomplete.length === 0) {
    const message = `All ${formatCount(people.length, 'person', 'people')} are set up already.`;
    return { kind: 'done', message, value: [] };
  }
  const credentials = credentialsFile(context, input.credentials, input.resume ?? false);
  return createPeople(context, input, { people: incomplete.map(credentials.withKnown), inUse }, credentials);
}

/** Creates the records that people lack, after one question. With `--dry-run`, returns the plan as the result. */
async function createPeople(
  context: Context,
  { set }: OnboardInput,
  people: People,
  credentials: CredentialsOutput,
): Promise<Result> {
  const planInput = { ...noPlanningOptions, setName: set, maxChangePercent: 100 };
  await guardParts(context, people);
  // Read before the first create, so that a failed read cannot hide what was created.
  const isShown = !context.options.dryRun && people.people.some(({ newcomer: { phone } }) => phone);
  const realm = isShown ? await readRealm(context) : undefined;
  return applyJob(context, {
    planInput,
    plan: (opening) => planPeople(context, people, planInput, opening),
    async confirm({ accounts }) {
      const steps = stepsToSend(accounts);
      if (credentials.isFile) context.notices.say(formatOnboardingSummary(steps, people));
      else await context.notices.report(steps.map(({ label }) => ({ sign, text: label })));
      await confirmChange(context, `Create these ${steps.length}?`, 'Nothing was created.');
    },
    agreed: () => credentials.write(people.people, realm),
    // The sentence at the end reports failures, so only the progress is shown.
    onResult: ({ step }, over, total) => context.notices.progress(over, total, step.label),
    end: (reports) => onboardingResult(reports, people, credentials, realm),
  });
}

const sign = { text: '+', mark: 'good' } as const;

function onboardingResult(
  reports: readonly ApplyReport[],
  { people }: People,
  credentials: CredentialsOutput,
  realm: string | undefined,
): Result {
  const done = reports.flatMap(doneResults);
  const undo = nextStep`undo`;
  const again = credentials.isFile
    ? createHint`Correct the rows and run the command again with --resume. It creates only missing records.`
    : createHint`To remove the created records: ${undo}. Then try again.`;
  const applied = applyResult(
    reports,
    done.length === 0 ? createHint`Nothing was created. Correct it, and run the command again.` : again,
  );
  const found = 'failure' in applied ? applied.failure : undefined;
  // The people of a file are set up independently, so one failure is a partial one, even if it is the first.
  const isPartial = credentials.isFile && found?.kind !== 'interrupted' && found?.kind !== 'charges';
  const failure = found && isPartial ? withFacts(found, { kind: 'partial' }) : found;
  const isNew = done.some(({ step }) => step.kind === 'users');
  const end = credentials.end(people, { isNew, realm });
  const byPerson = Map.groupBy(done, ({ step }) => step.name);
  const rows = people.map(({ newcomer: { username, extension }, key }) => ({
    username,
    extension,
    created: createdJson(byPerson.get(key) ?? []),
  }));
  const labels = done.map(({ step }) => step.label).join(', ');
  const sentence = credentials.isFile
    ? `Created ${formatCount(done.length, 'record')} for ${formatCount(byPerson.size, 'person', 'people')}.`
    : `Created ${labels}.`;
  return {
    kind: 'done',
    message:
      done.length === 0
        ? []
        : [
            [sentence, ...end.words].join(' '),
            ...end.lines,
            ...(failure && !credentials.isFile ? [] : [`To remove all of it: ${undo}`]),
          ],
    value: credentials.isFile
      ? rows.filter(({ created }) => created.length > 0)
      : { ...rows[0], ...end.value },
    ...(failure ? { failure } : {}),
  };
}

const createdJson = (results: readonly StepResult[]) =>
  results.map(({ step, id }) => ({ resource: kindByName(step.kind).resource.name, id: id ?? null }));

/** Returns the realm of the current account, or `undefined` if the service does not show it. */
export async function readRealm(context: Context): Promise<string | undefined> {
  const accountId = await context.accountId();
  const service = createService(await context.api(), accountId);
  const account = await service.get(kindByName('account_settings'), accountId);
  const realm = account.found === 'record' ? valueAt(account.record, 'realm') : undefined;
  return typeof realm === 'string' ? realm : undefined;
}

const words: readonly (readonly [string, string, string])[] = [
  ['users', 'user', 'users'],
  ['devices', 'device', 'devices'],
  ['vmboxes', 'mailbox', 'mailboxes'],
  ['callflows', 'extension', 'extensions'],
];

/** `30 people: 30 users, 28 devices, 30 mailboxes, 30 extensions (2200 to 2229)` */
function formatOnboardingSummary(steps: readonly Step[], { people }: People): string {
  const extensions = people
    .filter(({ has }) => !has.has('callflows'))
    .map(({ newcomer: { extension } }) => extension)
    .toSorted();
  const range = extensions.length > 1 ? `${extensions[0]} to ${extensions.at(-1)}` : extensions.join('');
  const counts = words.flatMap(([name, one, many]) => {
    const count = steps.filter(({ kind }) => kind === name).length;
    return count === 0 ? [] : [formatCount(count, one, many)];
  });
  return `${formatCount(people.length, 'person', 'people')}: ${counts.join(', ')}${range === '' ? '' : ` (${range})`}`;
}
