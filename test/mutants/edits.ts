import ts from '@typescript/typescript6';

/** Text that is put before and after a piece of the source. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** Puts an edit into a text. */
export const withEdit = (text: string, { start, end, before, after }: Edit): string =>
  text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end);

/** The source as a tree. */
export const parseSource = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Returns the name by which people know a piece of the source: that of its function, or of the constant that it is in. */
export function nameAround(node: ts.Node): string {
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (
      (ts.isFunctionDeclaration(at) ||
        ts.isMethodDeclaration(at) ||
        ts.isGetAccessor(at) ||
        ts.isClassDeclaration(at) ||
        (ts.isPropertyAssignment(at) && ts.isFunctionLike(at.initializer)) ||
        (ts.isVariableDeclaration(at) &&
          at.initializer !== undefined &&
          (ts.isFunctionLike(at.initializer) || ts.isSourceFile(at.parent.parent.parent)))) &&
      at.name
    )
      return at.name.getText();
  }
  return '(module)';
}
