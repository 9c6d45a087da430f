/** Turns rules into what the scan needs: one automaton over all keywords, and for each keyword what to do at a hit. */

import { nameKeywords } from '../assignments/name.ts'
import { buildAutomaton, type Automaton } from '../text/automaton.ts'
import { keyBlockKeywords } from './key-blocks.ts'
import { kubernetesKeywords } from './kubernetes-secrets.ts'
import type { SecretRule } from '../rules/rule.ts'

/** A pattern tried in the text at a place that a keyword points to. */
export interface RuleMatcher {
  readonly rule: string
  readonly entropy: number
  readonly random: boolean
  /** Sticky. A shape is tried from up to `before` characters ahead of the keyword. */
  readonly pattern: () => RegExp
  readonly before: number
  /** Begins with something no word ends in, so that it counts wherever it stands. */
  readonly distinct: boolean
}

export interface Keyword {
  readonly length: number
  readonly prefixes: readonly RuleMatcher[]
  readonly shapes: readonly RuleMatcher[]
  /** Values that this name gives away. */
  readonly values: readonly RuleMatcher[]
  readonly opens: 'assignment' | 'key-block' | 'kubernetes' | 'url' | undefined
}

export interface CompiledRules {
  readonly automaton: Automaton
  readonly keywords: readonly Keyword[]
}

type Building = { -readonly [K in 'prefixes' | 'shapes' | 'values']: RuleMatcher[] } & {
  opens: Keyword['opens']
}

export function compileSecretRules(rules: readonly SecretRule[]): CompiledRules {
  const byKeyword = new Map<string, Building>()
  const at = (keyword: string): Building => {
    let found = byKeyword.get(keyword)
    if (found === undefined) {
      found = { prefixes: [], shapes: [], values: [], opens: undefined }
      byKeyword.set(keyword, found)
    }
    return found
  }
  for (const keyword of nameKeywords) at(keyword).opens = 'assignment'
  for (const keyword of keyBlockKeywords) at(keyword).opens = 'key-block'
  for (const keyword of kubernetesKeywords) at(keyword).opens = 'kubernetes'
  at('://').opens = 'url'
  for (const rule of rules) {
    for (const keyword of rule.keywords) add(at(keyword), keyword, rule)
  }
  const words = [...byKeyword.keys()]
  return {
    automaton: buildAutomaton(words),
    keywords: words.map((word) => Object.assign(byKeyword.get(word)!, { length: word.length })),
  }
}

function add(to: Building, keyword: string, rule: SecretRule): void {
  const { recognition } = rule
  const before = recognition.by === 'shape' ? recognition.before : 0
  const matcher: RuleMatcher = {
    rule: rule.id,
    entropy: rule.entropy ?? 0,
    random: rule.random ?? false,
    pattern: lazyPattern(bounded(recognition), recognition.by === 'shape' ? 'dy' : 'y'),
    before,
    distinct: keyword.length >= 6 && /[^a-z0-9]/.test(keyword),
  }
  if (recognition.by === 'prefix') to.prefixes.push(matcher)
  else if (recognition.by === 'shape') to.shapes.push(matcher)
  else to.values.push(matcher)
}

/** A value ends where nothing that could belong to it follows; in the pattern, so that it may try the longer form. */
function bounded({ by, pattern }: SecretRule['recognition']): string {
  return by === 'prefix' || pattern.includes('(?<secret>') ? pattern : `(?:${pattern})(?![A-Za-z0-9_])`
}

/** Most rules never meet their keyword, and compiling them all would slow every start. */
function lazyPattern(source: string, flags: string): () => RegExp {
  let compiled: RegExp | undefined
  return () => (compiled ??= new RegExp(source, flags))
}
