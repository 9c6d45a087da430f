/** Compiles rules for the scan: one automaton for all keywords, and for each keyword the matchers to run at a hit. */

import { nameKeywords } from '../assignments/name.ts'
import { buildAutomaton, type Automaton } from '../text/automaton.ts'
import { keyBlockKeywords } from './key-blocks.ts'
import { kubernetesKeywords } from './kubernetes-secrets.ts'
import type { SecretRule } from '../rules/rule.ts'

/** A pattern that is matched near a keyword. */
export interface RuleMatcher {
  readonly rule: string
  readonly entropy: number
  readonly random: boolean
  /** Sticky. A shape may start up to `before` characters before the keyword. */
  readonly pattern: () => RegExp
  readonly before: number
  /** The keyword is too unusual to be the end of a word, so it matches without a boundary before it. */
  readonly distinct: boolean
}

export interface Keyword {
  readonly length: number
  readonly prefixes: readonly RuleMatcher[]
  readonly shapes: readonly RuleMatcher[]
  /** Values that this name identifies. */
  readonly values: readonly RuleMatcher[]
  readonly opens: 'assignment' | 'key-block' | 'kubernetes' | 'url' | undefined
}

export interface CompiledRules {
  readonly automaton: Automaton
  readonly keywords: readonly Keyword[]
}

type KeywordBuilder = { -readonly [K in 'prefixes' | 'shapes' | 'values']: RuleMatcher[] } & {
  opens: Keyword['opens']
}

export function compileSecretRules(rules: readonly SecretRule[]): CompiledRules {
  const byKeyword = new Map<string, KeywordBuilder>()
  const entryFor = (keyword: string): KeywordBuilder => {
    let entry = byKeyword.get(keyword)
    if (entry === undefined) {
      entry = { prefixes: [], shapes: [], values: [], opens: undefined }
      byKeyword.set(keyword, entry)
    }
    return entry
  }
  for (const keyword of nameKeywords) entryFor(keyword).opens = 'assignment'
  for (const keyword of keyBlockKeywords) entryFor(keyword).opens = 'key-block'
  for (const keyword of kubernetesKeywords) entryFor(keyword).opens = 'kubernetes'
  entryFor('://').opens = 'url'
  for (const rule of rules) {
    for (const keyword of rule.keywords) addRule(entryFor(keyword), keyword, rule)
  }
  const keywords = [...byKeyword.keys()]
  return {
    automaton: buildAutomaton(keywords),
    keywords: keywords.map((word) => Object.assign(byKeyword.get(word)!, { length: word.length })),
  }
}

function addRule(to: KeywordBuilder, keyword: string, rule: SecretRule): void {
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

/** Requires a boundary after the value. It is part of the pattern so that the regex can backtrack to a longer form. */
function bounded({ by, pattern }: SecretRule['recognition']): string {
  return by === 'prefix' || pattern.includes('(?<secret>') ? pattern : `(?:${pattern})(?![A-Za-z0-9_])`
}

/** Most keywords never occur, and compiling all patterns would slow down every start. */
function lazyPattern(source: string, flags: string): () => RegExp {
  let compiled: RegExp | undefined
  return () => (compiled ??= new RegExp(source, flags))
}
