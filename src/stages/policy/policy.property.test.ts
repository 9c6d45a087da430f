import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { identityLevels } from '../../core/call.ts'
import { parseJson, type JsonPath } from '@contextd/shared/json/json-source'
import { compilePolicy } from './compile-rules.ts'
import { evaluate, type PolicyQuestion } from './evaluate.ts'
import { intersectRules, type RuleSet } from './rule-set.ts'
import type { AccessDocument, RulesDocument } from './rules-schema.ts'

// Few names and many patterns that match them, so that rules interact.
const agents = ['a', 'b', 'team.web']
const servers = ['db', 'db_prod', 'api', 'contextd']
const tools = ['get', 'get_all', 'drop', 'drop_all']
const serverPattern = fc.constantFrom('db', 'db_prod', 'contextd', '*', 'db*', '*_prod', 'a*')
const toolPattern = fc.constantFrom('get', 'drop', 'drop_all', '*', 'get*', 'drop_*', '*_all')
const level = fc.constantFrom(...identityLevels)

const serverLists = fc.dictionary(serverPattern, fc.array(toolPattern, { minLength: 1, maxLength: 3 }), {
  maxKeys: 3,
  noNullPrototype: true,
})
const access: fc.Arbitrary<AccessDocument> = fc.record(
  {
    servers: fc.array(serverPattern, { minLength: 1, maxLength: 3 }),
    tools: serverLists,
    prompts: serverLists,
    resources: serverLists,
    capabilities: fc.array(
      fc.constantFrom('fs:read', 'fs:read:**', 'fs:read:src/**', 'fs:write:.git/**', 'shell:exec'),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const documents: fc.Arbitrary<RulesDocument> = fc.record(
  {
    agents: fc.dictionary(
      fc.constantFrom(...agents),
      fc.record({ allow: access, deny: access, require: level }, { requiredKeys: [], noNullPrototype: true }),
      { noNullPrototype: true },
    ),
    require: fc.record(
      {
        servers: fc.dictionary(serverPattern, level, { maxKeys: 2, noNullPrototype: true }),
        tools: fc.dictionary(serverPattern, fc.dictionary(toolPattern, level, { noNullPrototype: true }), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const questions: PolicyQuestion[] = [...agents, 'stranger'].flatMap((agent) =>
  servers.flatMap((server) =>
    tools.flatMap((tool) =>
      (['tool', 'prompt', 'resource'] as const).map((method): PolicyQuestion => ({
        agent,
        server,
        tool,
        method,
        level: 'token',
        open: tool === 'get_all',
      })),
    ),
  ),
)

function compile(document: RulesDocument, file = 'rules.json'): RuleSet {
  return compilePolicy({ text: JSON.stringify(document, null, 1), file })
}

function allowed(rules: RuleSet): string[] {
  return questions
    .filter((question) => evaluate(rules, question).effect === 'allow')
    .map((question) => JSON.stringify(question))
}

function expectNoMore(narrow: RuleSet, wide: RuleSet): void {
  const wider = new Set(allowed(wide))
  expect(allowed(narrow).filter((question) => !wider.has(question))).toEqual([])
  for (const [agent, { grants }] of narrow.agents) {
    const kinds = new Set(wide.agents.get(agent)?.grants.map(({ kind }) => kind))
    expect(grants.filter(({ kind }) => !kinds.has(kind))).toEqual([])
  }
}

/** The same rules with every list and object reversed. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).toReversed()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, reversed(item)])
      .toReversed(),
  )
}

/** Parses the output of `formatRulePath`. */
function parsePath(text: string): JsonPath {
  return [...text.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([\w-]+)/g)].map(
    ([, index, quoted, word = '']) =>
      index !== undefined ? Number(index) : quoted !== undefined ? (JSON.parse(quoted) as string) : word,
  )
}

describe('for any rules', () => {
  it('their order does not matter', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(allowed(compile(reversed(document) as RulesDocument))).toEqual(allowed(compile(document)))
      }),
    )
  })

  it('another deny never allows more', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(...agents), access, (document, agent, more) => {
        const before = document.agents?.[agent]
        if (before === undefined) return
        const join = <T>(left: T[] = [], right: T[] = []): T[] | undefined =>
          left.length + right.length === 0 ? undefined : [...left, ...right]
        const joinLists = (left: AccessDocument['tools'] = {}, right: AccessDocument['tools'] = {}) =>
          Object.fromEntries(
            [...Object.keys(left), ...Object.keys(right)].map((key) => [
              key,
              [...(left[key] ?? []), ...(right[key] ?? [])],
            ]),
          )
        const deny: AccessDocument = {
          servers: join(before.deny?.servers, more.servers),
          capabilities: join(before.deny?.capabilities, more.capabilities),
          tools: joinLists(before.deny?.tools, more.tools),
          prompts: joinLists(before.deny?.prompts, more.prompts),
          resources: joinLists(before.deny?.resources, more.resources),
        }
        const after = { ...document, agents: { ...document.agents, [agent]: { ...before, deny } } }
        expectNoMore(compile(after), compile(document))
      }),
    )
  })

  it('a project allows no more than the user, or than its own rules', () => {
    fc.assert(
      fc.property(documents, documents, (user, project) => {
        const both = intersectRules(compile(user, 'user.json'), compile(project, 'project.json'))
        expectNoMore(both, compile(user))
        expectNoMore(both, compile(project))
      }),
    )
  })

  it('what both files allow is allowed', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const rules = compile(document)
        expect(allowed(intersectRules(rules, rules))).toEqual(allowed(rules))
      }),
    )
  })

  it('every reported rule is in the file, at its line', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const rules = compile(document)
        const source = parseJson(JSON.stringify(document, null, 1))
        const isThere = ({ path, file, line }: { path: string; file?: string; line?: number }): boolean => {
          if (path.startsWith('builtin.')) return file === undefined
          const position = source.ok ? source.locate(path === '$' ? [] : parsePath(path), 'key') : undefined
          return file === 'rules.json' && line !== undefined && position?.line === line
        }
        const wrong = questions.flatMap((question) => {
          const { rule, matched, ...where } = evaluate(rules, question)
          return [{ path: rule, ...where }, ...matched].filter((place) => !isThere(place))
        })
        expect(wrong).toEqual([])
      }),
    )
  })

  it('a denial never comes from a built-in rule, and the deciding rule comes first', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const rules = compile(document)
        const wrong = questions
          .map((question) => evaluate(rules, question))
          .filter(({ effect, rule, matched }) => {
            const deciding = matched.find(({ path }) => path === rule)
            const isOdd = deciding !== undefined && (deciding !== matched[0] || deciding.effect !== effect)
            return isOdd || (effect === 'deny' && rule.startsWith('builtin.'))
          })
        expect(wrong).toEqual([])
      }),
    )
  })
})
