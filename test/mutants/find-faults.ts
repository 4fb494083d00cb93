import ts from '@typescript/typescript6';
import { type Edit, nameAround, parseSource } from './edits.ts';

/** A fault that was made from the source: a guard taken away, a difference not seen, a filter that lets everything through. */
export interface MadeFault {
  /** Its name: file, function, and what was done to which words. It stays when lines move. */
  readonly name: string;
  readonly file: string;
  readonly edit: Edit;
}

/** Words of what must not be confused: whose, where, which, how often, how much. */
const telling =
  /account|origin|service|holder|\block|budget|attempt|\bid\b|Ids?\b|owner|writer|fence|user|profile|realm|parent|scope|revision|etag|level|master|token|secret|kind\b|state\b|role|total|amount|price|charge|\bset\b|protect|deadline|expire/i;
/** Functions that refuse, by their names. */
const refusing = /^(?:refuse|require|check|assert|forbid|ensure|guard|hold|reject|must|verify)/;

const equal = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken]);
const unequal = new Set([ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken]);
const relational = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** True for a throw of a plain `Error`: a mistake of the caller, which nothing from outside can make. */
const isMistake = (statement: ts.Statement | undefined): boolean =>
  statement !== undefined &&
  ts.isThrowStatement(statement) &&
  /^new Error\(/.test(statement.expression.getText());

/** True for a branch that ends what goes on: a refusal, a skip, an early end. */
function endsEarly(branch: ts.Statement): boolean {
  const last = ts.isBlock(branch) ? branch.statements.at(-1) : branch;
  if (isMistake(last)) return false;
  if (ts.isBlock(branch) && branch.statements.length > 4) return false;
  return (
    last !== undefined &&
    (ts.isThrowStatement(last) ||
      ts.isReturnStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** The faults of one piece of the source, by what they do. */
function faultsAt(node: ts.Node): readonly (readonly [string, ts.Node, Edit])[] {
  const around =
    (before: string, after: string) =>
    (piece: ts.Node): Edit => ({
      ...{ start: piece.getStart(), end: piece.getEnd() },
      ...{ before, after },
    });
  const never = around('(false && (', '))');
  const always = around('(true || (', '))');
  const turned = around('!(', ')');
  const unfiltered = around('(() => true) ?? (', ')');
  if (ts.isIfStatement(node) && endsEarly(node.thenStatement))
    return [['without', node.expression, never(node.expression)]];
  if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    const name = ts.isCallExpression(call) ? call.expression.getText().split('.').at(-1) : undefined;
    if (name !== undefined && refusing.test(name))
      return [['without', node.expression, always(node.expression)]];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [by, ...others] = node.arguments;
    if (node.expression.name.text === 'filter' && by && others.length === 0)
      return [['unfiltered', by, unfiltered(by)]];
  }
  // Checks of shapes are there for types more often than not.
  if (
    !ts.isBinaryExpression(node) ||
    !telling.test(node.getText()) ||
    /^typeof |[!=]== undefined$/.test(node.getText())
  )
    return [];
  const { kind } = node.operatorToken;
  const isGuard = ts.isIfStatement(node.parent) && endsEarly(node.parent.thenStatement);
  if (relational.has(kind)) return [['turned round', node, turned(node)]];
  if (equal.has(kind)) return [['always', node, always(node)]];
  // The guard without it is a fault of its own.
  return unequal.has(kind) && !isGuard ? [['never', node, never(node)]] : [];
}

/** Makes all faults of a source file. */
export function findFaults(file: string, text: string): readonly MadeFault[] {
  const seen = new Map<string, number>();
  const found: MadeFault[] = [];
  const visit = (node: ts.Node): void => {
    // A loop without its end only shows that tests have one.
    const endsLoop = ts.isWhileStatement(node.parent) || ts.isForStatement(node.parent);
    for (const [how, piece, edit] of endsLoop ? [] : faultsAt(node)) {
      const words = piece.getText().replaceAll(/\s+/g, ' ');
      const name = `${file} ${nameAround(piece)}: ${how} ${words.length > 90 ? `${words.slice(0, 89)}…` : words}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      found.push({ name: times === 1 ? name : `${name} #${times}`, file, edit });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(parseSource(file, text), visit);
  return found;
}
