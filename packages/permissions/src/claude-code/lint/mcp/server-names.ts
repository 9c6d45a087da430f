/** Server names that rules split in the wrong place. */

import { placeOf, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup } from '../../setup/setup.ts'
import { parseToolName } from '../../rules/tool-names.ts'

/** Whether rules recognize the whole server name: they split at the first double underscore. */
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
  why: `The client splits a full name at the first double underscore. For a server named \`team__docs\` a rule \`mcp__team__docs\` in \`allow\` therefore grants nothing, and a \`deny\` of the server \`team\` also removes the tools of \`team__docs\`. A name that ends with an underscore, or with a character that the client replaces with one, has the same problem.

Choose a name without a double underscore that ends with a letter or a digit. Until then, allow its tools with \`mcp__team__docs__*\`.`,
  *check(setup) {
    for (const { off, prefix, name, ...place } of setup.servers) {
      if (off !== undefined || isReadAsNamed(prefix)) continue
      yield {
        ...placeOf(place),
        message: `Rules misread \`${name}\`: \`${prefix}\` cannot be allowed by that name, and denying \`${readPrefix(prefix)}\` denies it too.`,
        fix: `Give the server a name without \`__\` that ends with a letter or a digit; until then write \`${prefix}__*\`.`,
      }
    }
  },
}

export const serverNameRules: readonly LintRule<ClaudeSetup>[] = [ambiguousName]
