/** What suggestions are computed from: the rules of each project, the tools and servers here, and the audit log. */

import type { CliIo } from '@contextd/shared/cli/output'
import { LOCAL_TENANT, OWN_SERVER } from '../../../../core/call.ts'
import { watchFiles } from '../../../../platform/files/watched-files.ts'
import { ownProgramPaths } from '../../../../platform/own-program.ts'
import { createAuditReader } from '../../../../stages/audit/query.ts'
import { compileBuiltinRules, compilePolicy } from '../../../../stages/policy/compile-rules.ts'
import { discoverRules } from '../../../../stages/policy/discover-rules.ts'
import type { RulesText } from '../../../../stages/policy/edit/change-rules.ts'
import type { ComparedTool } from '../../../../stages/policy/edit/compare-rules.ts'
import { combineRules, type RuleSet } from '../../../../stages/policy/rule-set.ts'
import { checkRulesBytes } from '../../../../stages/policy/rules-file.ts'
import { isBuiltin } from '../../../../tools/builtin/registry.ts'
import { withRuntime } from '../../../support/with-runtime.ts'
import { ruleSurroundings } from '../user-rules/surroundings.ts'
import { toolsInRules } from '../user-rules/user-rules.ts'
import type { ChangeTerms } from './find-change.ts'
import type { RefusalSource } from './refusals.ts'
import { createWantJudge } from './unmet-wants.ts'

export interface SuggestTerms {
  readonly source: RefusalSource
  readonly terms: ChangeTerms
  readonly tools: readonly ComparedTool[]
  /** The user's rules with this text, without those of a project. */
  compileOwn(text: string | undefined): RuleSet
}

export async function withSuggestTerms<T>(
  before: RulesText,
  io: CliIo,
  work: (terms: SuggestTerms) => T,
): Promise<T> {
  const { servers, toolsOf } = await ruleSurroundings(io)
  const tools = await toolsInRules(io)
  return withRuntime(io, ({ paths, config, store, trust }) => {
    const builtin = compileBuiltinRules()
    const own = (text: string | undefined): RuleSet | undefined =>
      text === undefined ? undefined : compilePolicy({ text, file: before.file })
    const inProject = rulesByProject((project) => {
      const { project: files } = discoverRules(io.env, paths, project)
      const read = watchFiles('project', files, trust.isTrusted).read()
      return read.kind === 'found' ? checkRulesBytes(read.bytes, read.path).rules : undefined
    })
    const toolIn = (server: string, tool: string): ComparedTool | undefined =>
      tools.find((one) => one.server === server && one.tool === tool)
    const compileOwn = (text: string | undefined): RuleSet => own(text) ?? builtin
    return work({
      source: {
        audit: createAuditReader({ store, tenant: LOCAL_TENANT, clock: Date.now }),
        rules: compileOwn(before.text),
        needsOf: (server, tool) =>
          server === OWN_SERVER && isBuiltin(tool) ? (toolIn(server, tool)?.needs ?? []) : undefined,
      },
      terms: {
        before,
        compile: (text, project) => combineRules(own(text), inProject(project), builtin),
        judgeWant: createWantJudge(paths, [...config.sandbox.protect, ...ownProgramPaths(false)]),
        toolsOf: (server) => (servers.includes(server) ? { known: toolsOf(server) } : undefined),
        toolIn,
      },
      tools,
      compileOwn,
    })
  })
}

/** Reads the rules of each project once. */
function rulesByProject(
  read: (project: string) => RuleSet | undefined,
): (project: string) => RuleSet | undefined {
  const known = new Map<string, RuleSet | undefined>()
  return (project) => {
    if (!known.has(project)) known.set(project, read(project))
    return known.get(project)
  }
}
