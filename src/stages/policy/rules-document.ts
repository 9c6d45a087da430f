import { isJsonObject, type Json } from '@contextd/shared/json/value'
import { parseJson, type JsonDocument, type JsonPath } from '@contextd/shared/json/json-source'
import type { SchemaIssue } from '../../platform/config/json-problem.ts'
import { schemaIssues } from '../../platform/config/schema-issues.ts'
import { rulesSchema, type RulesDocument } from './rules-schema.ts'
import { placeProblem, type RulesProblem } from './rules-problem.ts'

/** The text of a rules file; `file` is only used in messages. */
export interface RulesSource {
  readonly text: string
  readonly file?: string
}

export interface ReadRules {
  readonly ok: true
  readonly document: RulesDocument
  readonly source: JsonDocument
}

/** Parses and validates text, or returns everything that is wrong with it. */
export function readRules({ text, file }: RulesSource): ReadRules | { ok: false; problems: RulesProblem[] } {
  const source = parseJson(text)
  if (!source.ok) {
    const { line, column, message } = source
    return {
      ok: false,
      problems: [{ ...(file !== undefined && { file }), line, column, path: '$', message }],
    }
  }
  const issues = schemaIssues(rulesSchema, source.value).filter(({ path }) => path.at(-1) !== '__proto__')
  issues.push(...prototypeKeys(source.value))
  if (issues.length === 0) issues.push(...aliasIssues(source.value as RulesDocument))
  if (issues.length === 0) return { ok: true, document: source.value as RulesDocument, source }
  const problems = issues.map((issue) => placeProblem(issue, source, file))
  return { ok: false, problems: problems.sort((a, b) => a.line - b.line || a.column - b.column) }
}

/** The validator silently accepts some of these keys, so they are searched for here. */
function prototypeKeys(value: Json, path: JsonPath = []): SchemaIssue[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => prototypeKeys(item, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === '__proto__'
      ? [{ path: [...path, key], part: 'key' as const, message: 'this name cannot be used as a key' }]
      : prototypeKeys(item, [...path, key]),
  )
}

/** A name must belong to only one agent, otherwise a caller could get the permissions of the more powerful one. */
function aliasIssues({ agents = {} }: RulesDocument): SchemaIssue[] {
  const owners = new Map(Object.keys(agents).map((id) => [id, id]))
  const issues: SchemaIssue[] = []
  for (const [id, { aliases = [] }] of Object.entries(agents)) {
    for (const [index, alias] of aliases.entries()) {
      const owner = owners.get(alias)
      if (owner === undefined) owners.set(alias, id)
      else {
        const message = `${JSON.stringify(alias)} is already a name of agent ${JSON.stringify(owner)}`
        issues.push({ path: ['agents', id, 'aliases', index], part: 'value', message })
      }
    }
  }
  return issues
}
