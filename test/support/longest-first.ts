import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than ten seconds. Vitest starts with the largest files, and these short ones would run alone
 * at the end.
 */
const long = [
  'smoke/fleet-drill-shared-state',
  'scenarios/service/hostile-service',
  'smoke/sandbox-drills',
  'conformance/documented-lines',
  'smoke/sandbox',
  'conformance/new-resource',
  'smoke/deliveries-durability',
  'conformance/account-option',
  'smoke/single-sign-on',
  'conformance/safety',
  'conformance/result-schemas',
  'conformance/log',
  'conformance/effects',
  'smoke/program',
  'smoke/parallel',
].map((name) => `/test/${name}.test.ts`);

const position = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((path) => moduleId.replaceAll('\\', '/').endsWith(path));
  return at === -1 ? long.length : at;
};

/** Runs the slowest files of each project first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...projects.values()].flatMap((own) =>
      own.toSorted((one, other) => position(one) - position(other)),
    );
  }
}
