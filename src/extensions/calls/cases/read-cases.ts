import { explainUndialled } from '../../../contract/phone-number.ts';
import {
  type DocumentNode,
  findNode,
  type MapNode,
  type Problem,
  problemAt,
} from '../../../engine/input/document.ts';
import { parse } from '../../../engine/input/read-documents.ts';
import type { InputText } from '../../../engine/input/read-input.ts';
import {
  type CallCase,
  callKeys,
  caseKeys,
  entryAt,
  fileKeys,
  type ReportProblem,
  readKey,
  readMap,
  readSeconds,
  readTextNode,
  type SaidBehaviour,
} from './case-file.ts';
import {
  type Parsed,
  parseAct,
  parseBehaviour,
  parseKeys,
  parseMessage,
  parseTime,
  readExpectations,
  readWith,
  type WrittenTime,
} from './read-words.ts';

export interface ReadCases {
  readonly cases: readonly CallCase[];
  readonly problems: readonly Problem[];
}

/** Reads case files. Returns all problems with their places. */
export async function readCases(inputs: readonly InputText[]): Promise<ReadCases> {
  const cases: CallCase[] = [];
  const problems: Problem[] = [];
  const report: ReportProblem = (problem) => void problems.push(problem);
  for (const { name, text } of inputs) {
    const { documents, problems: found } = await parse(name, text);
    problems.push(...found);
    for (const document of documents) cases.push(...readFile(document, report));
  }
  return { cases, problems };
}

function readFile(document: DocumentNode, report: ReportProblem): readonly CallCase[] {
  const file = readMap(document, 'a case file', fileKeys, report);
  if (!file) return [];
  const at = readKey(file, 'at', readTime(), report);
  const people = readPeople(entryAt(file, 'people')?.value, report);
  const list = entryAt(file, 'cases');
  if (list?.value.kind !== 'list') {
    report(problemAt(list?.value ?? file, 'cases must be a list of calls with name, call and expect'));
    return [];
  }
  const cases = list.value.items.flatMap((item) => readCase(item, { at, people }, report) ?? []);
  const names = new Set<string>();
  for (const { name, problem } of cases) {
    if (names.has(name)) report(problem('name', `two cases have the name ${JSON.stringify(name)}`));
    names.add(name);
  }
  return cases;
}

const readTime = (zone?: string) => readWith((text) => parseTime(text, zone));

const parseGaps = (text: string): Parsed<boolean> =>
  text === 'allowed' ? { value: true } : { wrong: `gaps must be "allowed", not ${JSON.stringify(text)}.` };

interface FileDefaults {
  readonly at: WrittenTime | undefined;
  readonly people: readonly SaidBehaviour[];
}

function readCase(node: DocumentNode, around: FileDefaults, report: ReportProblem): CallCase | undefined {
  const map = readMap(node, 'a case', caseKeys, report);
  if (!map) return undefined;
  const missing = ['name', 'call', 'expect'].filter((key) => !entryAt(map, key));
  for (const key of missing) report(problemAt(map, `the case has no ${key}`));
  const name = readKey(map, 'name', readTextNode('name'), report);
  const at = readKey(map, 'at', readTime(around.at?.zone), report) ?? around.at;
  if (at === undefined && !entryAt(map, 'at'))
    report(problemAt(map, 'the case has no time. Set at in the case or in the file'));
  const call = readCall(entryAt(map, 'call')?.value, report);
  const expect = readKey(map, 'expect', readExpectations, report);
  const acts = listAt(entryAt(map, 'then')?.value, report, 'then').flatMap(
    (item) => readWith(parseAct)(item, report) ?? [],
  );
  const people = readPeople(entryAt(map, 'people')?.value, report);
  const allowsGaps = readKey(map, 'gaps', readWith(parseGaps), report);
  const pivots = readPivots(entryAt(map, 'pivot')?.value, report);
  if (name === undefined || at === undefined || !call || !expect) return undefined;
  return {
    name,
    file: node.source.name,
    line: lineOfNode(map),
    at: at.ms,
    ...call,
    acts,
    expect,
    pivots,
    people: [...around.people, ...people],
    allowsGaps: allowsGaps ?? false,
    problem: (path, message) => problemAt(findNode(map, path), message),
  };
}

const lineOfNode = (map: MapNode): number | undefined => map.source.position(map.at)?.line;

function listAt(
  node: DocumentNode | undefined,
  report: ReportProblem,
  what: string,
): readonly DocumentNode[] {
  if (node === undefined || node.kind === 'list') return node?.items ?? [];
  report(problemAt(node, `${what} must be a list`));
  return [];
}

type WrittenCall = Pick<CallCase, 'from' | 'to' | 'presses' | 'hangsUpAfter' | 'leaves'>;

function readCall(node: DocumentNode | undefined, report: ReportProblem): WrittenCall | undefined {
  const map = node && readMap(node, 'call', callKeys, report);
  if (!map) return undefined;
  for (const key of ['from', 'to']) if (!entryAt(map, key)) report(problemAt(map, `call has no ${key}`));
  const from = readKey(map, 'from', readTextNode('from'), report);
  const to = readKey(map, 'to', readTextNode('to'), report);
  const presses = readKey(map, 'presses', readWith(parseKeys), report) ?? [];
  const hangsUpAfter = readKey(map, 'hangs_up_after', readSeconds('hangs_up_after'), report);
  const leaves = readKey(map, 'leaves', readWith(parseMessage), report);
  for (const [key, text] of Object.entries({ from, to })) {
    const why = text === undefined ? undefined : explainUndialled(text);
    const node = entryAt(map, key)?.value;
    if (why !== undefined && node)
      report(problemAt(node, `${key}: ${JSON.stringify(text)} cannot be dialed: ${why}`));
  }
  if (from === undefined || to === undefined) return undefined;
  return { from, to, presses, hangsUpAfter, leaves };
}

function readPeople(node: DocumentNode | undefined, report: ReportProblem): readonly SaidBehaviour[] {
  const map = node && readMap(node, 'people', undefined, report);
  return (map?.entries ?? []).flatMap((entry) => {
    const behaviour = readWith(parseBehaviour)(entry.value, report);
    const problem = (message: string): Problem => problemAt(entry, message);
    return behaviour ? [{ person: entry.key, behaviour, problem }] : [];
  });
}

function readPivots(node: DocumentNode | undefined, report: ReportProblem): ReadonlyMap<string, string> {
  const map = node && readMap(node, 'pivot', undefined, report);
  return new Map(
    (map?.entries ?? []).flatMap(({ key, value }) => {
      const file = readTextNode(`the reply of ${key}`)(value, report);
      return file === undefined ? [] : [[key, file] as const];
    }),
  );
}
