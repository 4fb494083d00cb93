import type { Session } from '../../session/session.ts';
import type { Habits } from './habits.ts';
import { type Finding, isForeign } from './verdict.ts';

/** The findings of a run, with its time and the telctl that ran. */
export interface Findings {
  readonly findings: readonly Finding[];
  readonly habits: Habits;
  /** In ISO form. */
  readonly at: string;
  readonly by: string;
}

/**
 * Keeps what was found with the profile. What was not tried this time stays as an earlier run found it; nothing is kept
 * of what is no service of this interface.
 */
export async function keepFindings(session: Session, { findings, habits, at, by }: Findings): Promise<void> {
  if (isForeign(findings)) return;
  const before = session.learned().conformance;
  const tried = new Set(findings.filter(isTried).map(({ operation }) => operation.id));
  const ids = (wanted: Finding['result'], known: readonly string[] = []): readonly string[] => [
    ...known.filter((id) => !tried.has(id)),
    ...findings.filter(({ result }) => result === wanted).map(({ operation }) => operation.id),
  ];
  await session.learn({
    conformance: {
      at,
      by,
      notOffered: ids('not-offered', before?.notOffered),
      otherShape: ids('other-shape', before?.otherShape),
      habits: { ...before?.habits, ...habits },
    },
  });
}

const isTried = ({ result }: Finding): boolean => result !== 'not-tried' && result !== 'failed';
