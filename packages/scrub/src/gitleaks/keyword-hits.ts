/** Finds the keywords of user rules in a text, to narrow down which rules can match, and where. */

import { buildAutomaton, type Automaton } from '../text/automaton.ts'
import type { GitleaksRule } from './gitleaks-config.ts'
import type { MatchRange } from './re2.ts'

export interface KeywordHits {
  /** Rules without keywords, and those with a keyword in the text, in the order of the rules. */
  readonly rules: readonly GitleaksRule[]
  /** The parts of the text where the rule can match; undefined for the whole text. */
  regionsOf(rule: GitleaksRule): readonly MatchRange[] | undefined
}

export type FindKeywords = (text: string) => KeywordHits

/** Prepares rules once, to search many texts. */
export function prepareKeywords(rules: readonly GitleaksRule[]): FindKeywords {
  const keywords = [...new Set(rules.flatMap((rule) => rule.keywords))]
  const plain = keywords.filter(isPlain)
  const others = keywords.filter((keyword) => !isPlain(keyword))
  const automaton = plain.length === 0 ? undefined : buildAutomaton(plain)
  const unconditional = rules.filter((rule) => rule.keywords.length === 0)
  const reaches = new Map<GitleaksRule, number>()

  return (text) => {
    const ends = automaton === undefined ? new Map<string, number[]>() : scan(text, automaton, plain)
    const lower = others.length === 0 ? '' : text.toLowerCase()
    const present = new Set([...ends.keys(), ...others.filter((keyword) => lower.includes(keyword))])
    return {
      rules:
        present.size === 0
          ? unconditional
          : rules.filter(
              (rule) => rule.keywords.length === 0 || rule.keywords.some((word) => present.has(word)),
            ),
      regionsOf: (rule) => {
        // Computed on demand: most rules never meet their keywords.
        const reach = reaches.get(rule) ?? reachOf(rule)
        reaches.set(rule, reach)
        if (reach === Infinity || caseFoldingLetters.test(text)) return undefined
        return regionsAround(rule, ends, reach, text.length)
      },
    }
  }
}

const isPlain = (keyword: string): boolean => /^[\0-\x7f]+$/.test(keyword)

/** `(?i)` matches these letters as s and k; the automaton does not. */
const caseFoldingLetters = /[\u017F\u212A]/

/** For longer matches, searching parts of the text saves nothing. */
const maxReach = 10_000

/**
 * Maximum distance between a keyword and the start or end of a match; Infinity if a match need not contain a keyword.
 */
function reachOf({ regex, keywords }: GitleaksRule): number {
  if (regex === undefined || !keywords.every(isPlain)) return Infinity
  const maxLength = regex.maxLength()
  return maxLength <= maxReach && regex.alwaysContains(keywords) ? maxLength : Infinity
}

function scan(text: string, automaton: Automaton, keywords: readonly string[]): Map<string, number[]> {
  const ends = new Map<string, number[]>()
  const { count, keyword, end } = automaton.scan(text)
  for (let hit = 0; hit < count; hit++) {
    const found = keywords[keyword[hit]!]!
    const places = ends.get(found)
    if (places === undefined) ends.set(found, [end[hit]!])
    else places.push(end[hit]!)
  }
  return ends
}

/**
 * Each match contains a keyword and is no longer than `reach`. The extra character on both sides lets `\b`, `^` and `$`
 * match as in the whole text.
 */
function regionsAround(
  rule: GitleaksRule,
  ends: ReadonlyMap<string, readonly number[]>,
  reach: number,
  length: number,
): MatchRange[] {
  const hits = rule.keywords.flatMap((keyword) => ends.get(keyword) ?? [])
  const regions: { start: number; end: number }[] = []
  for (const hit of rule.keywords.length > 1 ? hits.sort((a, b) => a - b) : hits) {
    const start = Math.max(0, hit - reach - 1)
    const end = Math.min(length, hit + reach + 1)
    const last = regions.at(-1)
    if (last !== undefined && start <= last.end) last.end = end
    else regions.push({ start, end })
  }
  return regions
}
