/** Patterns for files that no file fits. */

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
  why: `For \`read\` and \`edit\` OpenCode compares the path of a file relative to the root of its git repository: \`src/app.ts\`, or \`../notes.txt\` for one outside. So a pattern starting with \`/\`, \`~/\` or \`./\` matches nothing, and what it denies is open. Where the project is in no repository, paths are seen from \`/\`, without the first slash: \`secrets/*\` fits nothing there either. A pattern that begins with \`*\` works everywhere: \`*secrets/*\`. Whole paths belong to \`external_directory\`, which is about folders outside the project.`,
  *check(setup) {
    for (const { source, path, value } of definitionsIn(setup.sources)) {
      const { permission } = value
      for (const tool of isJsonObject(permission) ? ['read', 'edit'] : []) {
        const rules = isJsonObject(permission) ? permission[tool] : undefined
        for (const [pattern, action] of Object.entries(isJsonObject(rules) ? rules : {})) {
          const at = [...path, 'permission', tool, pattern]
          const found = unfitting(pattern, action, source, at, setup)
          if (found !== undefined) yield found
        }
      }
    }
  },
}

function unfitting(
  pattern: string,
  action: Json,
  source: OpenCodeSource,
  path: JsonPath,
  setup: OpenCodeSetup,
): FindingDetails | undefined {
  const isWhole = /^(?:[/~]|\$HOME)/.test(pattern)
  const isFromHere = pattern.startsWith('./')
  // Below the top of everything, as the client sees it there.
  const isFromTop = setup.repository === undefined && `/${pattern}`.startsWith(`${setup.project}/`)
  const isElsewhere = setup.repository === undefined && !/^[*?]/.test(pattern) && !isFromTop
  if (!isWhole && !isFromHere && !isElsewhere) return undefined
  const shown = quote(pattern, setup)
  const isAllow = action === 'allow'
  return {
    ...sourcePlace(source, path),
    ...(isAllow && { severity: 'warning' }),
    message: `No file matches ${shown}: ${isAllow ? 'this has no effect' : 'what it should close is open'}.`,
    fix: isWhole
      ? 'Write it relative to the repository root, or begin it with `*`; a folder outside belongs to `external_directory`.'
      : `Begin it with \`*\`${isFromHere ? ', or leave out `./` where the project is in a git repository' : ': the project is in no git repository, and paths are seen from /'}.`,
    ...(isFromHere && action === 'deny' && repairing(pattern, source, path, setup)),
  }
}

/** A pattern that denies gets the form that fits; one that asks may take files out of what a wider one denies. */
function repairing(
  pattern: string,
  source: OpenCodeSource,
  path: JsonPath,
  { repository, project }: OpenCodeSetup,
): { repairs?: readonly Repair[] } {
  const span = keySpan(source, path)
  const fitting = `${repository === project ? '' : '*'}${pattern.slice(2)}`
  const isTaken = valueIn(source, [...path.slice(0, -1), fitting]) !== undefined
  if (span === undefined || isTaken) return {}
  const text = JSON.stringify(fitting)
  return { repairs: [{ kind: 'text', file: source.file, start: span.start, end: span.end, text }] }
}

export const pathRules = [pathPattern]
