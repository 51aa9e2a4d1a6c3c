import { globMatcher } from '../../protocol/project-name.ts';
import type { Config } from '../../runtime/config/schema.ts';
import type { Subject } from './words.ts';

export type NotifySettings = Config['notify'];

/** What the settings make of one thing that could be told. */
export interface Ruled {
  readonly enabled: boolean;
  /** 1 to 5; 0: nothing is told of this. */
  readonly priority: number;
  readonly topic: string;
}

export type Rules = (about: {
  readonly provider: string;
  readonly project: string;
  readonly subject: Subject;
}) => Ruled;

/** The settings as one question. A project's rule goes before its agent's, and of two that fit a project the one that is written first. */
export function rulesOf(settings: NotifySettings): Rules {
  const projects = Object.entries(settings.projects).map(([pattern, rule]) => ({
    matches: globMatcher(pattern),
    rule,
  }));
  return ({ provider, project, subject }) => {
    const byProject = projects.find(({ matches }) => matches(project))?.rule;
    const byProvider = settings.providers[provider];
    const ordinary = settings.priorities[subject];
    return {
      enabled: byProject?.enabled ?? byProvider?.enabled ?? true,
      // A rule lifts or lowers what is told; what is not told at all stays so.
      priority: ordinary === 0 ? 0 : (byProject?.priority ?? byProvider?.priority ?? ordinary),
      topic: byProject?.topic ?? byProvider?.topic ?? settings.topic,
    };
  };
}
