import ts from '@typescript/typescript6';

/** Text that is inserted before and after a node of the source. */
export interface SourceEdit {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** Returns the text with the edit applied. */
export const applyEdit = (text: string, { start, end, before, after }: SourceEdit): string =>
  text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end);

export const parseSource = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Returns the name of the function or module constant that contains a node. */
export function enclosingName(node: ts.Node): string {
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
