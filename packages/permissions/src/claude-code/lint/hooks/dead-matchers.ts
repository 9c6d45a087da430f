/** Matchers and conditions of hooks that no call can meet. */

import { claudeTools, isClaudeTool } from '../../rules/builtin-tools.ts'
import { parseRule } from '../../rules/rule.ts'
import { claudeServerPrefix } from '../../rules/tool-names.ts'
import type { Told } from '../places/found-in.ts'

/** A condition is one rule as in permissions, without wildcards for names. */
export function deadConditions(condition: string): Told[] {
  if (condition === '') return []
  const rule = parseRule(condition)
  const isDead = 'problem' in rule || (rule.mcp !== undefined && rule.mcp !== 'tool') || !isName(rule.tool)
  if (!isDead) return []
  return [
    {
      message: `The hook never runs: its condition \`${condition}\` is met by no call.`,
      fix: 'Write one rule with the whole name of a tool, such as `Bash(git push:*)`; leave other choices to the matcher.',
    },
  ]
}

function isName(tool: string): boolean {
  return isClaudeTool(tool) || /^[A-Z][A-Za-z]+$|^mcp__[\w-]+$/.test(tool)
}

/** What in a matcher fits no tool; each name of a list for itself. */
export function deadMatchers(matcher: string): Told[] {
  if (/^[A-Z]\w*\(.*\)$/s.test(matcher)) {
    return [
      {
        message: `\`${matcher}\` is a rule of permissions and fits no tool as a matcher.`,
        fix: `Set \`"matcher": "${matcher.slice(0, matcher.indexOf('('))}"\`, and \`"if": ${JSON.stringify(matcher)}\` beside the type of the hook.`,
      },
    ]
  }
  const [, plugin, server] = /^plugin:([^:]+):([^:]+)$/.exec(matcher) ?? []
  if (plugin !== undefined && server !== undefined) {
    return [
      {
        message: `\`${matcher}\` names a server and fits none of its tools.`,
        fix: `Write \`${claudeServerPrefix(server, plugin)}__.*\`.`,
      },
    ]
  }
  if (!/^[\w\s|,-]*$/.test(matcher)) {
    if (matcher === '*' || isRegExp(matcher)) return []
    return [
      {
        message: `\`${matcher}\` is no regular expression, so it fits no tool.`,
        fix: 'Correct it, or list the names with `|`.',
      },
    ]
  }
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .flatMap(deadName)
}

function deadName(name: string): Told[] {
  if (name.includes(' ')) {
    return [
      {
        message: `No tool is named \`${name}\`: the hook does not run for it.`,
        fix: 'Separate names with `|`.',
      },
    ]
  }
  if (/^mcp__(?:(?!__).)+$/.test(name)) {
    return [
      {
        message: `A matcher compares whole names, and \`${name}\` is that of a server: it fits none of its tools.`,
        fix: `Write \`${name}__.*\`.`,
      },
    ]
  }
  const lower = name.toLowerCase()
  const meant = claudeTools.find((tool) => tool.toLowerCase() === lower)
  if (meant === undefined || meant === name) return []
  return [
    { message: `No tool is named \`${name}\`: the hook does not run for it.`, fix: `Write \`${meant}\`.` },
  ]
}

function isRegExp(text: string): boolean {
  try {
    return Boolean(new RegExp(text))
  } catch {
    return false
  }
}
