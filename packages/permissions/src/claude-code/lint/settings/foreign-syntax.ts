/** Rules in the syntax of something else: the parameters of a tool, a list, a regular expression. */

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
    why: 'What stands in the parentheses is compared with the command or the path itself. `Bash(command:rm *)` wants a command that begins with `command:`, `Read(file_path:./.env)` a file of that name; quotes, `|` between two choices, `^` and `$` are letters like any other; and one entry of a list is one rule, however many are written into it. The client keeps such a rule silently, and it denies nothing.\n\n`--fix` rewrites deny and ask rules where it is plain what was meant.',
    check: deadRules(({ text }, rule) => foreignForm(text, rule)),
  },
]

/** Said here, and nowhere else: other rules would put right half of it. */
export function unlessForeign(judge: JudgeRule): JudgeRule {
  return (entry: RuleEntry, rule, setup) =>
    foreignForm(entry.text, rule) === undefined ? judge(entry, rule, setup) : undefined
}

const pathTools = /^(?:Read|Edit|Write|MultiEdit|NotebookEdit|Glob|Grep)$/

function foreignForm(text: string, rule: ClaudeRule | undefined): RuleFault | undefined {
  const several = severalIn(text)
  if (several !== undefined)
    return {
      message: `One entry is one rule: \`${text}\` is never met.`,
      fix: `Write ${several.map((one) => `\`${one}\``).join(' and ')} as entries of their own.`,
      meant: several,
    }
  const { tool, content } = rule ?? {}
  if (tool === undefined || content === undefined) return undefined
  const isPath = pathTools.test(tool)
  if (!isPath && tool !== 'Bash') return undefined
  const told = (why: string, meant: string | undefined, fix = `Write \`${meant}\`.`): RuleFault => ({
    message: `${why}: \`${text}\` is never met.`,
    fix,
    ...(meant !== undefined && { meant: [meant] }),
  })
  const parameter = (isPath ? /^(?:file_path|path):\s*(.+)$/s : /^command:\s*(.+)$/s).exec(content)?.[1]
  if (parameter !== undefined)
    return told('A rule names no parameter of the tool', `${inForce(tool)}(${parameter})`)
  const quoted = /^(["'])([^"']+)\1$/.exec(content)?.[2]
  if (quoted !== undefined) return told('Quotes are taken by their letter', `${inForce(tool)}(${quoted})`)
  const each = 'Write one rule for each of them.'
  if (isPath ? content.includes('|') : /^[^"'`$]*\w\|\w/.test(content))
    return { message: `\`|\` is no "or" here: \`${text}\` means this very text.`, fix: each }
  if (isPath ? /,\s*(?:\.{0,2}\/|~)/.test(content) : /^[\w-]+(?:,\s*[\w-]+)+$/.test(content))
    return told('A comma separates nothing here', undefined, each)
  if (!isPath && /^\^|^\/(?=[^/]*\*)[^/]*\/$|[\w*]\$$/.test(content))
    return told(
      'A rule is no regular expression',
      undefined,
      'Write how the command begins, with `:*` behind it, such as `Bash(git push:*)`.',
    )
  return undefined
}

/** The rule that is asked in place of others about paths. */
function inForce(tool: string): string {
  if (/^(?:Write|MultiEdit|NotebookEdit)$/.test(tool)) return 'Edit'
  return tool === 'Bash' || tool === 'Edit' ? tool : 'Read'
}

/** As flags of the client take several. */
function severalIn(text: string): string[] | undefined {
  if (!text.includes(',')) return undefined
  const rules = splitFlag(text)
  const areRules = rules.every((one) => {
    const rule = parseRule(one)
    return !('problem' in rule) && (isClaudeTool(rule.tool) || rule.mcp !== undefined)
  })
  return rules.length > 1 && areRules ? rules : undefined
}
