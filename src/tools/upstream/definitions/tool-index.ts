/** Tool search: BM25 over the names, descriptions and arguments of all servers' tools. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { ToolDefinition } from '../../../core/tool.ts'
import { isTypoOf, synonymsOf, indexTerms } from './search-words.ts'

export interface ServedTool {
  readonly server: string
  readonly definition: ToolDefinition
}

/** Weight of a word by field. */
const weights = { name: 3, title: 1.5, description: 1, server: 1, argument: 0.5 } as const
/** Weights of inexact matches. */
const asSynonym = 0.45
const asPrefix = 0.6
const asTypo = 0.6
/** Bonus if the query contains all words of a tool's name, or equals it. */
const wholeName = 4
const exactName = 20
/** BM25's k1: repeated words add less each time. */
const saturation = 1.2
/** BM25's b: normalization by length. */
const lengthPenalty = 0.6
const minForTypo = 5
const minForPrefix = 3
/** Words of a query. */
const maxWords = 32

interface Document {
  readonly tool: ServedTool
  readonly nameWords: readonly string[]
  /** Weighted occurrences. */
  readonly weightOf: ReadonlyMap<string, number>
  readonly length: number
}

interface Index {
  readonly documents: readonly Document[]
  readonly averageLength: number
  /** The number of tools that contain each word. */
  readonly holders: ReadonlyMap<string, number>
  readonly nameWords: readonly string[]
}

const indexes = new WeakMap<readonly ServedTool[], Index>()

/** Matching tools, best first. The index is cached per list. */
export function findTools(tools: readonly ServedTool[], query: string): readonly ServedTool[] {
  const words = [...new Set(indexTerms(query.slice(0, 1000)))].slice(0, maxWords)
  let index = indexes.get(tools)
  if (index === undefined) {
    index = indexTools(tools)
    indexes.set(tools, index)
  }
  const terms = words.map((word) => meaningsOf(word, index))
  const compact = compactName(query)
  return index.documents
    .map((document) => ({ tool: document.tool, score: scoreOf(document, terms, words, compact, index) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .map(({ tool }) => tool)
}

function indexTools(tools: readonly ServedTool[]): Index {
  const documents = tools.map(toDocument)
  const holders = new Map<string, number>()
  for (const { weightOf } of documents) {
    for (const word of weightOf.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)
  }
  const total = documents.reduce((sum, { length }) => sum + length, 0)
  const nameWords = [...new Set(documents.flatMap((document) => document.nameWords))]
  return { documents, averageLength: Math.max(1, total / Math.max(1, documents.length)), holders, nameWords }
}

function toDocument(tool: ServedTool): Document {
  const { name, title = '', description, inputSchema } = tool.definition
  const weightOf = new Map<string, number>()
  let length = 0
  const add = (text: string, weight: number): void => {
    for (const word of indexTerms(text)) {
      weightOf.set(word, (weightOf.get(word) ?? 0) + weight)
      length++
    }
  }
  add(name, weights.name)
  add(title, weights.title)
  add(description, weights.description)
  add(tool.server, weights.server)
  if (isJsonObject(inputSchema.properties)) {
    for (const argument of Object.keys(inputSchema.properties)) add(argument, weights.argument)
  }
  return { tool, nameWords: indexTerms(name), weightOf, length }
}

/** Index words that a query word may mean, with their weights. */
type Meanings = ReadonlyMap<string, number>

function meaningsOf(word: string, { holders, nameWords }: Index): Meanings {
  const meanings = new Map<string, number>([[word, 1]])
  const add = (other: string, weight: number): void => {
    if ((meanings.get(other) ?? 0) < weight) meanings.set(other, weight)
  }
  for (const other of synonymsOf(word)) add(other, asSynonym)
  if (word.length >= minForPrefix) {
    for (const other of nameWords) if (other !== word && other.startsWith(word)) add(other, asPrefix)
  }
  if (!holders.has(word) && word.length >= minForTypo) {
    for (const other of nameWords) if (isTypoOf(word, other)) add(other, asTypo)
  }
  return meanings
}

function scoreOf(
  { tool, nameWords, weightOf, length }: Document,
  terms: readonly Meanings[],
  words: readonly string[],
  compact: string,
  { documents, averageLength, holders }: Index,
): number {
  const norm = saturation * (1 - lengthPenalty + (lengthPenalty * length) / averageLength)
  let score = 0
  for (const meanings of terms) {
    let best = 0
    for (const [word, weight] of meanings) {
      const occurrences = weightOf.get(word)
      if (occurrences === undefined) continue
      const holding = holders.get(word) ?? 0
      const rarity = Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5))
      best = Math.max(best, (weight * rarity * occurrences * (saturation + 1)) / (occurrences + norm))
    }
    score += best
  }
  if (compact !== '' && compact === compactName(tool.definition.name)) return score + exactName
  if (nameWords.length > 0 && nameWords.every((word) => words.includes(word))) return score + wholeName
  return score
}

function compactName(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
