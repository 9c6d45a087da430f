/**
 * Finds text in a definition that tries to manipulate the agent or hides something. A heuristic: findings are shown to
 * users and agents, but no security decision depends on their absence.
 */

import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { UpstreamTool } from './definition.ts'
import { hiddenIn, showHidden, type HiddenKind } from '../../../platform/hidden-characters.ts'
import { createMatcher } from './phrase-matcher.ts'
import {
  styledWord,
  hasSpacedLetters,
  mixedAlphabetWord,
  plainLetters,
  withoutDigitsForLetters,
} from './plain-letters.ts'
import { conceptsAbroad, steeringPhrasesAbroad } from './steering-phrases-abroad.ts'
import { steeringConcepts, steeringPhrases } from './steering-phrases.ts'

export interface Suspicion {
  readonly rule: string
  /** Such as `description` or `inputSchema.properties.path.description`. */
  readonly field: string
  /** At most 80 characters, with codes for invisible ones. */
  readonly excerpt: string
  readonly why: string
}

const maxExcerptLength = 80
/** Limits what a malicious server can write to the audit log. */
const maxFindings = 20
/** Characters of one tool; twice what the most verbose servers need. */
const maxExamined = 16_384

const matchPhrases = [
  createMatcher(steeringConcepts, steeringPhrases),
  createMatcher(conceptsAbroad, steeringPhrasesAbroad),
]

const hiddenWhys: Readonly<Record<HiddenKind, { rule: string; why: string }>> = {
  invisible: { rule: 'invisible-characters', why: 'has invisible characters' },
  direction: {
    rule: 'reading-direction',
    why: 'changes the reading direction, so that it reads differently from its content',
  },
  terminal: { rule: 'terminal-escape', why: 'has terminal escape sequences' },
}

/** Patterns for the original text. */
const shapes: readonly { rule: string; why: string; pattern: RegExp }[] = [
  {
    rule: 'blank-run',
    why: 'pushes text out of view with blank space',
    pattern: /(?:[^\S\n]{0,119}\n){10}|[^\S\n]{120}/,
  },
  {
    rule: 'hidden-markup',
    why: 'has markup that users do not see and models obey',
    pattern:
      /<!--[^>]{0,20}[\p{L}]+\s[^>]{0,40}[\p{L}]+\s|<\/?\s?(?:IMPORTANT|CRITICAL|SYSTEM|INSTRUCTIONS?|MANDATORY|OVERRIDE|URGENT|SECRET_INSTRUCTIONS?)\b[^>]{0,40}>|<\/(?:important|critical|system|system[-_]prompt|system[-_]reminder|instructions?|mandatory|override|urgent|secret|hidden|assistant|user|admin|developer)>|<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\|>|\[\/?INST\]|<<SYS>>|display:\s?none|font-size:\s?0/u,
  },
  {
    rule: 'hidden-markup',
    why: 'imitates turns of a conversation',
    pattern:
      /(?:^|\n)\s{0,20}#{0,4} ?(?:System|SYSTEM|Assistant|ASSISTANT|Human|HUMAN) ?(?:message|prompt|MESSAGE|PROMPT)?:\s?\S|[.!?] (?:Assistant|ASSISTANT|Human|HUMAN):\s?\S/,
  },
  {
    rule: 'encoded-text',
    why: 'has encoded text',
    pattern:
      /(?:%[\dA-Fa-f]{2}){12}|(?:\\x[\dA-Fa-f]{2}){8}|(?:\\u[\dA-Fa-f]{4}){8}|(?:&#x?[\dA-Fa-f]{2,6};){6}|\b(?:[01]{8} ){6}/,
  },
]

/** Most strings in a schema are words such as `type` or `string`. */
const isWord = /^\$?[A-Za-z]{0,24}$/

/** `siblings`: names of tools of the same server, to which a description may refer. */
export function suspiciousIn(tool: UpstreamTool, siblings: Iterable<string> = []): readonly Suspicion[] {
  const known = new Set([tool.name, ...siblings, ...propertyNames(tool.inputSchema)])
  const findings: Suspicion[] = []
  const seen = new Set<string>()
  let left = maxExamined
  for (const { field, text } of textsOf(tool)) {
    if (seen.has(text)) continue
    seen.add(text)
    if (text.length > left) {
      const why = 'makes the definition too long to review; the rest was not checked'
      findings.push({ rule: 'very-long', field, excerpt: excerptOf(text, 0, 1), why })
    }
    findings.push(...findIn(field, text.slice(0, left), known))
    left -= text.length
    if (left < 0 || findings.length >= maxFindings) break
  }
  return findings.slice(0, maxFindings)
}

interface FieldText {
  readonly field: string
  readonly text: string
}

function* textsOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: UpstreamTool): Generator<FieldText> {
  yield { field: 'name', text: name }
  if (title !== undefined) yield { field: 'title', text: title }
  yield { field: 'description', text: description }
  for (const [field, value] of Object.entries({ inputSchema, outputSchema, annotations })) {
    if (value !== undefined) yield* textsBelow(field, value)
  }
}

function* textsBelow(field: string, value: Json): Generator<FieldText> {
  if (typeof value === 'string') yield { field, text: value }
  else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* textsBelow(`${field}[${at}]`, item)
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const below = `${field}.${showHidden(key.slice(0, maxExcerptLength))}`
      yield { field: below, text: key }
      yield* textsBelow(below, item)
    }
  }
}

function* findIn(field: string, text: string, known: ReadonlySet<string>): Generator<Suspicion> {
  const seen = new Set<string>()
  const found = (rule: string, why: string, around: string, at: number, length: number): Suspicion[] => {
    if (seen.has(rule)) return []
    seen.add(rule)
    return [{ rule, why, field, excerpt: excerptOf(around, at, length) }]
  }

  if (isWord.test(text)) return
  const isAscii = /^[\t\n\r -~]*$/.test(text)
  for (const { kind, at } of isAscii ? [] : hiddenIn(text)) {
    const { rule, why } = hiddenWhys[kind]
    yield* found(rule, why, text, at, 1)
  }
  for (const { rule, why, pattern } of shapes) {
    const match = pattern.exec(text)
    if (match !== null) yield* found(rule, why, text, match.index, match[0].length)
  }
  const blob = encodedBlob(text)
  if (blob !== undefined) {
    yield* found('encoded-text', 'has encoded text', text, blob.at, blob.length)
  }
  const disguised = isAscii ? undefined : (styledWord.exec(text)?.[0] ?? mixedAlphabetWord(text))
  if (disguised !== undefined || hasSpacedLetters(text)) {
    const at = disguised === undefined ? 0 : text.indexOf(disguised)
    yield* found('disguised-letters', 'is written to evade filters', text, at, disguised?.length ?? 1)
  }
  const plain = plainLetters(/\s/.test(text) ? text : wordsOfName(text))
  const other = withoutDigitsForLetters(plain)
  for (const view of other === plain ? [plain] : [plain, other]) {
    for (const { phrase, start, end } of matchPhrases.flatMap((match) => match(view))) {
      yield* found(phrase.rule, phrase.why, view, start, end - start)
    }
  }
  const redirect = foreignTool(text, known)
  if (redirect !== undefined) {
    yield* found(
      'other-tools',
      'tries to change how other tools are used',
      text,
      redirect.at,
      redirect.length,
    )
  }
}

/** A name can contain a whole sentence: `content_from_reading_ssh_id_rsa`. */
function wordsOfName(text: string): string {
  return text.replace(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ')
}

/** Instructions for using a tool; the group is its name. */
const toolMention = [
  /(?:instead of|rather than|do not|don't|never|before|after|when|whenever|every time) (?:you )?(?:use|using|call|calling|invoke|invoking|run|running) (?:the )?["'`]?([A-Za-z]\w{2,99})/gi,
  /(?:instead of|in place of|replaces|supersedes|overrides) (?:the )?["'`]?([A-Za-z]\w{2,99})["'`]? (?:tool|function)/gi,
  /(?:when|whenever|if|once|every time|each time) (?:the )?["'`]?([A-Za-z]\w{2,99})["'`]? (?:tool )?(?:is|gets|was|has been) (?:called|used|invoked|available)/gi,
  /(?:must|always|only|first) (?:be )?(?:call|called|use|used|invoke)[\w ]{0,20} (?:with|before|after) (?:the )?["'`]?([A-Za-z]\w{2,99})/gi,
  /\b([A-Za-z]\w{2,99}) (?:must|should|may|can) (?:always |only |never |not )?be (?:called|used|invoked|run) (?:through|via|by|with|before|after)/gi,
  /\b(mcp__\w{1,99})/g,
]

/** Finds instructions for using a tool of another server. */
function foreignTool(text: string, known: ReadonlySet<string>): { at: number; length: number } | undefined {
  for (const pattern of toolMention) {
    for (const match of text.matchAll(pattern)) {
      const [, name = ''] = match
      // A single word may not be a tool name.
      if (name.includes('_') && !known.has(name)) return { at: match.index, length: match[0].length }
    }
  }
  return undefined
}

/** A long run that looks like base64 (mixed case and digits), or a longer one of hexadecimal digits. */
function encodedBlob(text: string): { at: number; length: number } | undefined {
  for (const match of text.matchAll(/[A-Za-z\d+/_=-]{48,}/g)) {
    const [run] = match
    const changes = run.match(/[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g)?.length ?? 0
    const isBase64 = changes > run.length / 5 && /[A-Z]/.test(run) && /[a-z]/.test(run)
    const isHexadecimal = run.length > 130 && /^[\da-f]+$/i.test(run)
    if (isBase64 || isHexadecimal) return { at: match.index, length: run.length }
  }
  return undefined
}

function propertyNames(schema: Json): string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties ?? null)) return []
  return Object.keys(schema.properties as object)
}

function excerptOf(text: string, at: number, length: number): string {
  const spare = Math.max(0, maxExcerptLength - 2 - length)
  const from = Math.max(0, at - Math.floor(spare / 2))
  const shown = showHidden(text.slice(from, from + maxExcerptLength))
    .replace(/(?:\\u\{a\}| )+/g, ' ')
    .trim()
  return shown.length <= maxExcerptLength ? shown : `${shown.slice(0, maxExcerptLength - 1)}…`
}
