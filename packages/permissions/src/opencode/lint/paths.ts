/** File patterns that match no file. */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import type { FindingDetails, LintRule, Repair } from '../../findings/finding.ts'
import type { OpenCodeSetup, OpenCodeSource } from '../setup.ts'
import { definitionsIn, keySpan, sourcePlace, valueIn } from '../written.ts'
import { quote } from './wording.ts'

const pathPattern: LintRule<OpenCodeSetup> = {
  id: 'opencode-path-pattern',
  severity: 'error',
  title: 'a file pattern that never matches',
  why: `For \`read\` and \`edit\` OpenCode compares file paths relative to the root of the git repository: \`src/app.ts\`, or \`../notes.txt\` for a file outside. So a pattern starting with \`/\`, \`~/\` or \`./\` matches nothing, and what it denies is open. If the project is not in a repository, paths are relative to \`/\`, without the leading slash: \`secrets/*\` matches nothing there either. A pattern that begins with \`*\` works everywhere: \`*secrets/*\`. Absolute paths belong in \`external_directory\`, which is for folders outside the project.`,
  *check(setup) {
    for (const { source, path, value } of definitionsIn(setup.sources)) {
      const { permission } = value
      for (const tool of isJsonObject(permission) ? ['read', 'edit'] : []) {
        const rules = isJsonObject(permission) ? permission[tool] : undefined
        for (const [pattern, action] of Object.entries(isJsonObject(rules) ? rules : {})) {
          const at = [...path, 'permission', tool, pattern]
          const finding = unmatchable(pattern, action, source, at, setup)
          if (finding !== undefined) yield finding
        }
      }
    }
  },
}

function unmatchable(
  pattern: string,
  action: Json,
  source: OpenCodeSource,
  path: JsonPath,
  setup: OpenCodeSetup,
): FindingDetails | undefined {
  const isAbsolute = /^(?:[/~]|\$HOME)/.test(pattern)
  const isDotRelative = pattern.startsWith('./')
  // Relative to /, as the client sees paths outside of repositories.
  const isRelativeToRoot = setup.repository === undefined && `/${pattern}`.startsWith(`${setup.project}/`)
  const isElsewhere = setup.repository === undefined && !/^[*?]/.test(pattern) && !isRelativeToRoot
  if (!isAbsolute && !isDotRelative && !isElsewhere) return undefined
  const shown = quote(pattern, setup)
  const isAllow = action === 'allow'
  return {
    ...sourcePlace(source, path),
    ...(isAllow && { severity: 'warning' }),
    message: `No file matches ${shown}: ${isAllow ? 'this has no effect' : 'what it should deny is open'}.`,
    fix: isAbsolute
      ? 'Write it relative to the repository root, or begin it with `*`; a folder outside belongs in `external_directory`.'
      : `Begin it with \`*\`${isDotRelative ? ', or remove `./` if the project is in a git repository' : ': the project is not in a git repository, so paths are relative to /'}.`,
    ...(isDotRelative && action === 'deny' && repairPattern(pattern, source, path, setup)),
  }
}

/** Repairs only deny patterns: an ask pattern may exclude files from what a wider one denies. */
function repairPattern(
  pattern: string,
  source: OpenCodeSource,
  path: JsonPath,
  { repository, project }: OpenCodeSetup,
): { repairs?: readonly Repair[] } {
  const span = keySpan(source, path)
  const corrected = `${repository === project ? '' : '*'}${pattern.slice(2)}`
  const isTaken = valueIn(source, [...path.slice(0, -1), corrected]) !== undefined
  if (span === undefined || isTaken) return {}
  const text = JSON.stringify(corrected)
  return { repairs: [{ kind: 'text', file: source.file, start: span.start, end: span.end, text }] }
}

export const pathRules = [pathPattern]
