/** Who uses the memory, what the rules let them reach, and how their texts are stored. */

import { LOCAL_TENANT, scopeOf, type Scope } from '../../core/call.ts'
import type { RunCheck } from '../../core/checks.ts'
import { maskAndScrub, type TextChecks } from '../../core/findings.ts'
import type { LastingText, ToolHost } from '../../core/ports.ts'
import type { Archiver, MemoryReach, MemoryUser } from '../../memory/memory-access.ts'
import { lastingTextIn } from '../../platform/lasting-text.ts'
import type { RuleSet } from '../../stages/policy/rule-set.ts'

export interface MemoryUserParts {
  /** The project folder of the calls. */
  readonly project: string
  readonly rules: () => RuleSet
  /** Scrubs text for storage and makes it readable again. */
  readonly texts: TextChecks & { readonly check: RunCheck; readonly lasting: LastingText }
}

export interface MemoryUsers {
  /** An agent outside of any call, such as the one whose session a hook starts. */
  agentIn(session: Pick<Scope, 'project' | 'session'>, agent: string): MemoryUser
  /**
   * The operator at the terminal, who has full access; without `session`, with the tokens that all of the operator's
   * commands share.
   */
  operatorIn(session?: string): MemoryUser
  /** The caller of a tool. */
  callerOf(host: Pick<ToolHost, 'call' | 'archive' | 'recall'>): MemoryUser
}

const tenant = LOCAL_TENANT

export function createMemoryUsers({ project, rules, texts }: MemoryUserParts): MemoryUsers {
  const scopesOf = (agent: string): Pick<MemoryReach, 'read' | 'write'> =>
    rules().agents.get(agent)?.memory ?? { read: [], write: [] }
  const archiverIn = (session: string): Archiver =>
    lastingTextIn(
      session,
      texts.lasting,
      (text) => maskAndScrub(text, { tenant, session }, texts, undefined).text,
    )
  return {
    agentIn: ({ project, session }, name) => {
      const agent = rules().resolveAgent(name) ?? 'default'
      return { reach: { tenant, project, session, agent, ...scopesOf(agent) }, archiver: archiverIn(session) }
    },
    operatorIn: (session = 'operator') => ({
      reach: { tenant, project, session, agent: 'operator', read: ['all'], write: ['all'] },
      archiver: archiverIn(session),
    }),
    callerOf({ call, archive, recall }) {
      if (call.principal === undefined) throw new Error('a tool ran for an unidentified caller')
      const { agent } = call.principal
      return {
        reach: { ...scopeOf(call, call.principal), ...scopesOf(agent) },
        archiver: { archive, recall },
      }
    },
  }
}
