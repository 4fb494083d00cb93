import { Failure } from '../../base/failure.ts';
import { resources } from '../../contract/catalogue.ts';
import type { Schema, SchemaNode } from '../../contract/schema-node.ts';
import { bodySchema, findSubject, insideOf, modulesOf, type Subject } from './find-subject.ts';

/** A path that can be explained, and what it is. */
export interface PathWord {
  readonly word: string;
  readonly doc: string;
}

function fieldsIn(root: Schema, node: SchemaNode): readonly PathWord[] {
  const inside = insideOf(root, node);
  return [
    ...Object.entries(inside.properties ?? {}).map(([word, { description = '' }]) => ({
      word,
      doc: description,
    })),
    ...modulesOf(inside).map((word) => ({ word, doc: 'Data of the module' })),
  ];
}

function wordsIn(subject: Subject): readonly PathWord[] {
  if (subject.kind === 'field') return fieldsIn(subject.root, subject.node);
  if (subject.kind === 'operation') {
    const schema = bodySchema(subject.operation);
    return schema ? fieldsIn(schema, schema) : [];
  }
  const { schema, operations } = subject.resource;
  return [
    ...fieldsIn(schema, schema),
    ...operations.map(({ verb, summary }) => ({ word: verb, doc: summary })),
  ];
}

/** The paths that `telctl explain` knows one step beyond what was typed, for completion. */
export function pathWords(typed: string): readonly PathWord[] {
  const dot = typed.lastIndexOf('.');
  if (dot === -1) return resources.map(({ name, summary }) => ({ word: name, doc: summary }));
  const parent = typed.slice(0, dot);
  try {
    return wordsIn(findSubject(parent)).map(({ word, doc }) => ({ word: `${parent}.${word}`, doc }));
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
