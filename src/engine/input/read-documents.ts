import type { Host } from '../../base/host/host.ts';
import { type DocumentNode, type Problem, problemAt, textSource } from './document.ts';
import { JsonError, readJson } from './json-document.ts';
import { readInput } from './read-input.ts';
import { readSimpleYaml } from './simple-yaml.ts';

export interface Documents {
  readonly documents: readonly DocumentNode[];
  readonly problems: readonly Problem[];
}

/**
 * Reads YAML and JSON from files and standard input (`-`). Tags, duplicate keys and too many aliases are problems.
 * Throws `Failure` of kind `usage` if a file cannot be opened.
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

/** Reports only conflict markers if there are any, because they cause all other problems. */
export async function parse(name: string, text: string): Promise<Documents> {
  const read = await parseDocuments(name, text);
  const marks = read.problems.length > 0 ? [...text.matchAll(/^<{7}(?: .*)?$/gm)] : [];
  if (marks.length === 0) return read;
  const source = textSource(name, text);
  const message =
    'a merge left a conflict here: keep one side, and remove the lines with <<<<<<<, ======= and >>>>>>>';
  return { documents: [], problems: marks.map(({ index }) => problemAt({ source, at: index }, message)) };
}

async function parseDocuments(name: string, text: string): Promise<Documents> {
  if (/^\s*[[{]/.test(text) || name.endsWith('.json')) {
    try {
      const root = readJson(textSource(name, text, 'typed'), text);
      return { documents: [root], problems: findDuplicateKeys(root) };
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (name.endsWith('.json'))
        return {
          documents: [],
          problems: [problemAt({ source: error.source, at: error.offset }, error.message)],
        };
      // YAML in flow style starts like JSON.
    }
  }
  const simple = readSimpleYaml(textSource(name, text), text);
  if (simple) return { documents: simple, problems: simple.flatMap(findDuplicateKeys) };
  const { readYaml } = await import('./read-yaml.ts');
  const { documents, problems } = await readYaml(name, text);
  return { documents, problems: [...problems, ...documents.flatMap(findDuplicateKeys)] };
}

function findDuplicateKeys(root: DocumentNode): readonly Problem[] {
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
