/** Rules in foreign syntax: tool parameters, lists, regular expressions. */

import type { LintRule } from '../../../findings/finding.ts'
import { splitFlag } from '../../explain/in-force/rules-in-force.ts'
import { isClaudeTool } from '../../rules/builtin-tools.ts'
import { parseRule, type ClaudeRule } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { deadRules, type RuleFault, type JudgeRule } from './dead-rule.ts'

export const foreignSyntaxRules: readonly LintRule<ClaudeSetup>[] = [
  {
    id: 'foreign-syntax',
    severity: 'warning',
    title: 'A rule in a syntax that the client does not know',
    why: 'The text in the parentheses is compared with the command or the path itself. `Bash(command:rm *)` matches only commands that begin with `command:`, `Read(file_path:./.env)` only a file of that name; quotes, `|` between alternatives, `^` and `$` are literal; and a list entry is a single rule, even if it contains several. The client silently accepts such a rule, which then denies nothing.\n\n`--fix` rewrites deny and ask rules if the intention is clear.',
    check: deadRules(({ text }, rule) => foreignForm(text, rule)),
  },
]

/** Foreign syntax is reported only here: other rules would repair only half of it. */
export function unlessForeign(judge: JudgeRule): JudgeRule {
  return (entry: RuleEntry, rule, setup) =>
    foreignForm(entry.text, rule) === undefined ? judge(entry, rule, setup) : undefined
}

const pathTools = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|Glob|Grep)$/

function foreignForm(text: string, rule: ClaudeRule | undefined): RuleFault | undefined {
  const several = severalIn(text)
  if (several !== undefined)
    return {
      message: `An entry is a single rule: \`${text}\` never matches.`,
      fix: `Write ${several.map((one) => `\`${one}\``).join(' and ')} as separate entries.`,
      meant: several,
    }
  const { tool, content } = rule ?? {}
  if (tool === undefined || content === undefined) return undefined
  const isPath = pathTools.test(tool)
  if (!isPath && tool !== 'Bash') return undefined
  const fault = (why: string, meant: string | undefined, fix = `Write \`${meant}\`.`): RuleFault => ({
    message: `${why}: \`${text}\` never matches.`,
    fix,
    ...(meant !== undefined && { meant: [meant] }),
  })
  const parameter = (isPath ? /^(?:file_path|path):\s*(.+)$/s : /^command:\s*(.+)$/s).exec(content)?.[1]
  if (parameter !== undefined)
    return fault('Rules do not contain parameter names', `${evaluatedTool(tool)}(${parameter})`)
  const quoted = /^(["'])([^"']+)\1$/.exec(content)?.[2]
  if (quoted !== undefined) return fault('Quotes are literal', `${evaluatedTool(tool)}(${quoted})`)
  const each = 'Write one rule for each of them.'
  if (isPath ? content.includes('|') : /^[^"'`$]*\w\|\w/.test(content))
    return { message: `\`|\` does not mean "or" here: \`${text}\` is taken literally.`, fix: each }
  if (isPath ? /,\s*(?:\.{0,2}\/|~)/.test(content) : /^[\w-]+(?:,\s*[\w-]+)+$/.test(content))
    return fault('A comma is not a separator here', undefined, each)
  if (!isPath && /^\^|^\/(?=[^/]*\*)[^/]*\/$|[\w*]\$$/.test(content))
    return fault(
      'A rule is not a regular expression',
      undefined,
      'Write the beginning of the command followed by `:*`, such as `Bash(git push:*)`.',
    )
  return undefined
}

/** The tool whose path rules the client evaluates. */
function evaluatedTool(tool: string): string {
  if (/^(?:Write|MultiEdit|NotebookEdit)$/.test(tool)) return 'Edit'
  return tool === 'Bash' || tool === 'Edit' ? tool : 'Read'
}

/** In the format of the client's flags, which accept several rules. */
function severalIn(text: string): string[] | undefined {
  if (!text.includes(',')) return undefined
  const rules = splitFlag(text)
  const areRules = rules.every((one) => {
    const rule = parseRule(one)
    return !('problem' in rule) && (isClaudeTool(rule.tool) || rule.mcp !== undefined)
  })
  return rules.length > 1 && areRules ? rules : undefined
}
