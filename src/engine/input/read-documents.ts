import type { Host } from '../../base/host/host.ts';
import { type DocumentNode, type Problem, problemAt, textSource } from './document.ts';
import { JsonError, readJson } from './json-document.ts';
import { readInput } from './read-input.ts';
import { readSimpleYaml } from './simple-yaml.ts';

/** The documents of all files, and what is wrong with those that could not be read. */
export interface Documents {
  readonly documents: readonly DocumentNode[];
  readonly problems: readonly Problem[];
}

/**
 * Reads YAML (one or more documents) and JSON from files and standard input (`-`). Scalars keep their source
 * text; aliases are expanded within a budget; tags, duplicate keys and files over 10 MB are problems.
 * Throws `Failure` of kind `usage` where a file cannot be opened.
 */
export async function readDocuments(host: Host, files: readonly string[]): Promise<Documents> {
  const documents: DocumentNode[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    const { name, text } = await readInput(host, file);
    const found = await parse(name, text);
    documents.push(...found.documents);
    problems.push(...found.problems);
  }
  return { documents, problems };
}

/**
 * Reads the text of one file; what is wrong with it is returned, not thrown. Where a merge left its marks, they are all
 * that is told: everything else follows from them.
 */
export async function parse(name: string, text: string): Promise<Documents> {
  const read = await parsed(name, text);
  const conflicts = read.problems.length > 0 ? conflictsIn(name, text) : [];
  return conflicts.length > 0 ? { documents: [], problems: conflicts } : read;
}

/** Places where a merge could not choose between two sides. */
function conflictsIn(name: string, text: string): readonly Problem[] {
  const source = textSource(name, text);
  return [...text.matchAll(/^<{7}(?: .*)?$/gm)].map(({ index }) =>
    problemAt(
      { kind: 'scalar', text: '', plain: true, source, at: index },
      'a merge left a conflict here: keep one side, and take out the lines of <<<<<<<, ======= and >>>>>>>',
    ),
  );
}

async function parsed(name: string, text: string): Promise<Documents> {
  if (/^\s*[[{]/.test(text) || name.endsWith('.json')) {
    try {
      const root = readJson(textSource(name, text, 'typed'), text);
      return { documents: [root], problems: duplicates(root) };
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (name.endsWith('.json')) return { documents: [], problems: [jsonProblem(error)] };
      // YAML in flow style begins like JSON.
    }
  }
  const simple = readSimpleYaml(textSource(name, text), text);
  if (simple) return { documents: simple, problems: simple.flatMap(duplicates) };
  const { readYaml } = await import('./read-yaml.ts');
  const { documents, problems } = await readYaml(name, text);
  return { documents, problems: [...problems, ...documents.flatMap(duplicates)] };
}

const jsonProblem = ({ source, offset, message }: JsonError): Problem =>
  problemAt({ kind: 'scalar', text: '', plain: true, source, at: offset }, message);

/** Keys that stand twice in one map, anywhere in a document. */
function duplicates(root: DocumentNode): readonly Problem[] {
  const found: Problem[] = [];
  const visit = (node: DocumentNode): void => {
    if (node.kind === 'list') node.items.forEach(visit);
    if (node.kind !== 'map') return;
    const seen = new Set<string>();
    for (const entry of node.entries) {
      if (seen.has(entry.key)) found.push(problemAt(entry, `${JSON.stringify(entry.key)} is given twice`));
      seen.add(entry.key);
      visit(entry.value);
    }
  };
  visit(root);
  return found;
}
