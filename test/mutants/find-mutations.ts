import ts from '@typescript/typescript6';
import { enclosingName, parseSource, type SourceEdit } from './source-edit.ts';

/** A mutation generated from the source: a removed guard, an ignored difference or a filter that keeps everything. */
export interface GeneratedMutation {
  /** File, function, kind of change and changed code. The name stays the same when lines move. */
  readonly name: string;
  readonly file: string;
  readonly edit: SourceEdit;
}

/** Names in comparisons that are worth a mutation: owners, scopes, identities, counts and amounts. */
const significant =
  /account|origin|service|holder|\block|budget|attempt|\bid\b|Ids?\b|owner|writer|fence|user|profile|realm|parent|scope|revision|etag|level|master|token|secret|kind\b|state\b|role|total|amount|price|charge|\bset\b|protect|deadline|expire/i;
/** Names of functions that refuse a request. */
const guardName = /^(?:refuse|require|check|assert|forbid|ensure|guard|hold|reject|must|verify)/;

const equal = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken]);
const unequal = new Set([ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken]);
const relational = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** Returns true for a thrown plain `Error`, which marks a programming error that no input can cause. */
const throwsProgrammingError = (statement: ts.Statement | undefined): boolean =>
  statement !== undefined &&
  ts.isThrowStatement(statement) &&
  /^new Error\(/.test(statement.expression.getText());

/** Returns true for a branch that refuses, skips or returns early. */
function endsEarly(branch: ts.Statement): boolean {
  const last = ts.isBlock(branch) ? branch.statements.at(-1) : branch;
  if (throwsProgrammingError(last)) return false;
  if (ts.isBlock(branch) && branch.statements.length > 4) return false;
  return (
    last !== undefined &&
    (ts.isThrowStatement(last) ||
      ts.isReturnStatement(last) ||
      ts.isContinueStatement(last) ||
      ts.isBreakStatement(last))
  );
}

/** Returns the mutations of one node, with the kind of change. */
function mutationsAt(node: ts.Node): readonly (readonly [string, ts.Node, SourceEdit])[] {
  const wrapNode =
    (before: string, after: string) =>
    (piece: ts.Node): SourceEdit => ({
      ...{ start: piece.getStart(), end: piece.getEnd() },
      ...{ before, after },
    });
  const never = wrapNode('(false && (', '))');
  const always = wrapNode('(true || (', '))');
  const negated = wrapNode('!(', ')');
  const unfiltered = wrapNode('(() => true) ?? (', ')');
  if (ts.isIfStatement(node) && endsEarly(node.thenStatement))
    return [['without', node.expression, never(node.expression)]];
  if (ts.isExpressionStatement(node)) {
    const call = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    const name = ts.isCallExpression(call) ? call.expression.getText().split('.').at(-1) : undefined;
    if (name !== undefined && guardName.test(name))
      return [['without', node.expression, always(node.expression)]];
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [predicate, ...others] = node.arguments;
    if (node.expression.name.text === 'filter' && predicate && others.length === 0)
      return [['unfiltered', predicate, unfiltered(predicate)]];
  }
  // Most type checks and comparisons with undefined exist for the compiler.
  if (
    !ts.isBinaryExpression(node) ||
    !significant.test(node.getText()) ||
    /^typeof |[!=]== undefined$/.test(node.getText())
  )
    return [];
  const { kind } = node.operatorToken;
  const isGuard = ts.isIfStatement(node.parent) && endsEarly(node.parent.thenStatement);
  if (relational.has(kind)) return [['negated', node, negated(node)]];
  if (equal.has(kind)) return [['always', node, always(node)]];
  // A removed guard is already a mutation.
  return unequal.has(kind) && !isGuard ? [['never', node, never(node)]] : [];
}

/** Returns all mutations of a source file. */
export function findMutations(file: string, text: string): readonly GeneratedMutation[] {
  const seen = new Map<string, number>();
  const found: GeneratedMutation[] = [];
  const visit = (node: ts.Node): void => {
    // An endless loop only shows that tests have a time limit.
    const endsLoop = ts.isWhileStatement(node.parent) || ts.isForStatement(node.parent);
    for (const [how, piece, edit] of endsLoop ? [] : mutationsAt(node)) {
      const words = piece.getText().replaceAll(/\s+/g, ' ');
      const name = `${file} ${enclosingName(piece)}: ${how} ${words.length > 90 ? `${words.slice(0, 89)}…` : words}`;
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      found.push({ name: times === 1 ? name : `${name} #${times}`, file, edit });
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(parseSource(file, text), visit);
  return found;
}
