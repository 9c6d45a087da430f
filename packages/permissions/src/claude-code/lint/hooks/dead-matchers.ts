/** Hook matchers and conditions that no call can match. */

import { claudeTools, isClaudeTool } from '../../rules/builtin-tools.ts'
import { parseRule } from '../../rules/rule.ts'
import { claudeServerPrefix } from '../../rules/tool-names.ts'
import type { FindingText } from '../places/finding-at.ts'

/** A condition is a single permission rule, without wildcards in the tool name. */
export function deadConditions(condition: string): FindingText[] {
  if (condition === '') return []
  const rule = parseRule(condition)
  const isDead = 'problem' in rule || (rule.mcp !== undefined && rule.mcp !== 'tool') || !isName(rule.tool)
  if (!isDead) return []
  return [
    {
      message: `The hook never runs: no call matches its condition \`${condition}\`.`,
      fix: 'Write one rule with a full tool name, such as `Bash(git push:*)`; use the matcher for anything else.',
    },
  ]
}

function isName(tool: string): boolean {
  return isClaudeTool(tool) || /^[A-Z][A-Za-z]+$|^mcp__[\w-]+$/.test(tool)
}

/** Parts of a matcher that match no tool; each name in a list is checked separately. */
export function deadMatchers(matcher: string): FindingText[] {
  if (/^[A-Z]\w*\(.*\)$/s.test(matcher)) {
    return [
      {
        message: `\`${matcher}\` is a permission rule and matches no tool as a matcher.`,
        fix: `Set \`"matcher": "${matcher.slice(0, matcher.indexOf('('))}"\`, and \`"if": ${JSON.stringify(matcher)}\` next to the type of the hook.`,
      },
    ]
  }
  const [, plugin, server] = /^plugin:([^:]+):([^:]+)$/.exec(matcher) ?? []
  if (plugin !== undefined && server !== undefined) {
    return [
      {
        message: `\`${matcher}\` is the name of a server and matches none of its tools.`,
        fix: `Write \`${claudeServerPrefix(server, plugin)}__.*\`.`,
      },
    ]
  }
  if (!/^[\w\s|,-]*$/.test(matcher)) {
    if (matcher === '*' || isRegExp(matcher)) return []
    return [
      {
        message: `\`${matcher}\` is not a valid regular expression, so it matches no tool.`,
        fix: 'Correct it, or list the names with `|`.',
      },
    ]
  }
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .flatMap(deadName)
}

function deadName(name: string): FindingText[] {
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
        message: `A matcher compares full names, and \`${name}\` is the name of a server: it matches none of its tools.`,
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
