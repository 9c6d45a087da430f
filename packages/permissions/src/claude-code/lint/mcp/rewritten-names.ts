/** Names with characters that the client replaces with `_`. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { rewrittenName } from '../../rules/tool-names.ts'
import { meaningOf, runtimeForms } from '../../rules/named-servers.ts'
import { replaceRule, writtenRules } from '../places/written-rules.ts'

const originalName: LintRule<ClaudeSetup> = {
  id: 'mcp-rule-original-name',
  severity: 'warning',
  title: 'A rule uses a name that the client rewrites',
  why: `In tool names the client replaces everything but letters, digits, \`_\` and \`-\` with \`_\`. The tool \`get.page\` of a server \`my docs\` is named \`mcp__my_docs__get_page\`. A rule with the name from \`.mcp.json\` matches nothing: an \`allow\` grants nothing, a \`deny\` leaves the tool open.`,
  *check(setup) {
    for (const { entry, tool: name, hasParentheses } of setup.settings.flatMap(writtenRules)) {
      const meaning = hasParentheses ? undefined : meaningOf(setup, name)
      if (meaning?.kind !== 'rewritten') continue
      const [runtime = name] = runtimeForms(meaning.servers, meaning.tool)
      yield {
        ...placeOf(entry),
        ...(entry.list !== 'allow' && { severity: 'error' as const }),
        message: `\`${entry.text}\` matches nothing: the client replaces special characters with \`_\`, so the runtime name is \`${runtime}\`.`,
        fix: `Write \`${runtime}\`.`,
        ...(entry.list !== 'allow' && { repairs: [replaceRule(entry, [runtime])] }),
      }
    }
  },
}

const serverRewritten: LintRule<ClaudeSetup> = {
  id: 'mcp-name-rewritten',
  severity: 'note',
  title: 'The name of a server or tool is rewritten by the client',
  why: `In tool names the client replaces everything but letters, digits, \`_\` and \`-\` with \`_\`. Rules, agents and hooks need the rewritten name, which does not appear in any file; and names that differ only in such characters become identical.

If you can choose the name, use only letters, digits, \`_\` and \`-\`.`,
  *check(setup) {
    for (const server of setup.servers) {
      if (server.off !== undefined) continue
      const { name, owner = '', source, prefix } = server
      const tool = server.tools?.find(isRewritten)
      if (isRewritten(name) || (source === 'plugin' && isRewritten(owner)))
        yield rewritten(server, `Tools of \`${name}\` are named \`${prefix}__…\``)
      else if (tool !== undefined)
        yield rewritten(
          server,
          `The tool \`${tool}\` of \`${name}\` is named \`${prefix}__${rewrittenName(tool)}\``,
        )
    }
  },
}

function rewritten(server: McpServer, what: string) {
  return {
    ...placeOf(server),
    message: `${what}: the client replaces characters not allowed in tool names with \`_\`.`,
    fix: 'Use the rewritten name in rules, agents and hooks, or rename it using letters, digits, `_` and `-`.',
  }
}

function isRewritten(name: string): boolean {
  return rewrittenName(name) !== name
}

export const rewrittenNameRules: readonly LintRule<ClaudeSetup>[] = [originalName, serverRewritten]
