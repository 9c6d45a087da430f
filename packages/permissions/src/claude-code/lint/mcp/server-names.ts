/** Names of servers that rules cannot tell from the names of tools. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { parseToolName } from '../../rules/tool-names.ts'

/** Whether rules see the end of the server where it is: they look for the first double underscore. */
export function isReadAsNamed(prefix: string): boolean {
  return readPrefix(prefix) === prefix
}

function readPrefix(prefix: string): string | undefined {
  return parseToolName(`${prefix}__tool`)?.prefix
}

const ambiguousName: LintRule<ClaudeSetup> = {
  id: 'mcp-server-ambiguous-name',
  severity: 'warning',
  title: 'A server name contains a double underscore or ends with an underscore',
  why: `The client splits a full name at the first double underscore. For a server called \`team__docs\` a rule \`mcp__team__docs\` in \`allow\` therefore grants nothing, and a \`deny\` of the server \`team\` also removes the tools of \`team__docs\`. A name that ends with an underscore, or with a character that the client writes as one, has the same problem.

Choose a name without a double underscore that ends with a letter or a digit. Until then allow its tools by \`mcp__team__docs__*\`.`,
  *check(setup) {
    for (const { off, prefix, name, ...place } of setup.servers) {
      if (off !== undefined || isReadAsNamed(prefix)) continue
      yield {
        ...placeOf(place),
        message: `Rules misread \`${name}\`: \`${prefix}\` cannot be allowed by that name, and forbidding \`${readPrefix(prefix)}\` forbids it too.`,
        fix: `Give the server a name without \`__\` that ends with a letter or a digit; until then write \`${prefix}__*\`.`,
      }
    }
  },
}

export const serverNameRules: readonly LintRule<ClaudeSetup>[] = [ambiguousName]
