/** Implements the memory tools and formats their results. */

import type { Call } from '../../core/call.ts'
import { cutLine } from '../../core/cut-text.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { reaches } from '../../core/memory-scope.ts'
import type { CountTokens } from '../../core/ports.ts'
import type { FoundMemories, MemoryHit } from '../../memory/bank/bank.ts'
import { distilBrief } from '../../memory/bank/distil.ts'
import { aboutNotes, memoriesForTask } from '../../memory/bank/for-task.ts'
import { throwIssues } from '../../memory/bank/memory-fields.ts'
import type { Memory, NewMemory } from '../../memory/bank/memory.ts'
import type { MemoryUser } from '../../memory/memory-access.ts'
import { countFromSources } from '../../memory/bank/source-limit.ts'
import { readSources } from '../../memory/bank/sources.ts'
import type { FeedbackArguments, MemoryToolParts, SearchArguments, StoreArguments } from './memory-tools.ts'

/** Max tokens of a search result, and the part its envelope needs. */
const searchTokens = 500
const envelopeTokens = 40
/** One line is enough to choose by. */
const lineLengths = [90, 60, 40, 0]
const maxConcurrent = 20

export async function searchMemories(
  { bank, count }: MemoryToolParts,
  user: MemoryUser,
  { query, task, limit, ...filter }: SearchArguments,
  signal?: AbortSignal,
): Promise<Json> {
  if (query === undefined && task !== undefined) {
    const { data } = await memoriesForTask(bank, user, task, {
      ...filter,
      count: limit,
      countTokens: count,
      signal,
    })
    return data
  }
  return searchAnswer(await bank.search(user, { ...filter, limit, text: query ?? '', signal }), count)
}

export function getMemories({ bank }: MemoryToolParts, user: MemoryUser, ids: readonly string[]): Json {
  if (ids.length === 0) throwIssues([{ field: 'ids', expected: 'at least 1 item' }])
  if (ids.length > maxConcurrent) throwIssues([{ field: 'ids', expected: `at most ${maxConcurrent} items` }])
  const found = new Map(bank.get(user, ids).map((memory) => [memory.id, memory]))
  return { about: aboutNotes, memories: [...found.values()].map(wholeMemory) }
}

export async function storeMemory(
  parts: MemoryToolParts,
  user: MemoryUser,
  args: StoreArguments,
  call: StoringCall,
): Promise<Json> {
  const { bank, store, count } = parts
  const { from = [], title, content } = args
  if (from.length > 0 && title === undefined && content === undefined) {
    const sources = readSources(store, user, from)
    const ids = sources.map(({ id }) => id)
    return distilBrief(sources, { stored: countFromSources(store, user.reach.tenant, ids), count })
  }
  const { id, note } = await saveMemory(parts, user, args, call)
  // A caller with write access only must not learn what else is stored.
  const isReader = reaches(user.reach.read, args.scope ?? 'project')
  const similar = isReader ? await bank.similar(user, id) : []
  return {
    id,
    ...(similar.length > 0 && {
      similar: similar.map(({ id, title, similarity }) => ({ id, title, similarity: rounded(similarity) })),
      hint: alikeHint,
    }),
    ...(note !== undefined && { note }),
  }
}

/** For everything after the embedding, including the duplicate check. */
const answerMs = 15_000

type StoringCall = Pick<Call, 'deadline' | 'signal'>

/** Without the duplicate check. */
export async function saveMemory(
  { bank, store }: MemoryToolParts,
  user: MemoryUser,
  { from = [], ...given }: StoreArguments,
  { deadline, signal }: StoringCall,
): Promise<{ id: string; note?: string }> {
  const memory = complete(given)
  const sources = from.length === 0 ? [] : readSources(store, user, from).map(({ id }) => id)
  const embedMs = Math.max(0, deadline - Date.now() - answerMs)
  const stored = await bank.store(user, { ...memory, sources }, { signal, embedMs })
  return { id: stored.memory.id, ...(stored.note !== undefined && { note: stored.note }) }
}

const alikeHint = 'These are nearly identical. The user can merge them with `ctxd memory merge`.'

export function giveFeedback(
  { bank }: MemoryToolParts,
  user: MemoryUser,
  { id, ...feedback }: FeedbackArguments,
): Json {
  const { before, after } = bank.feedback(user, id, feedback)
  return { id, confidence: rounded(after), was: rounded(before) }
}

function complete({
  title,
  description,
  content,
  outcome,
  ...rest
}: Omit<StoreArguments, 'from'>): NewMemory {
  const needed = { title, description, content, outcome }
  throwIssues(
    Object.entries(needed)
      .filter(([, value]) => value === undefined)
      .map(([field]) => ({
        field,
        expected: field === 'outcome' ? 'required, success or failure' : 'required, string',
      })),
  )
  return { ...needed, ...rest } as NewMemory
}

/** Ids and lines to choose from, within the token limit; results that do not fit are counted. */
function searchAnswer(found: FoundMemories, count: CountTokens): JsonObject {
  const { hits, considered, filtered, leftOver, empty, note } = found
  const made = (shown: number, line: number): JsonObject => ({
    memories: hits.slice(0, shown).map((hit) => hitLine(hit, line)),
    considered,
    ...(Object.keys(filtered).length > 0 && { filtered: { ...filtered } }),
    left_over: leftOver + hits.length - shown,
    ...(empty === undefined ? { about: `${aboutNotes} memory_get reads them.` } : { why_empty: empty }),
    ...(note !== undefined && { note }),
  })
  for (let shown = hits.length; ; shown -= 1) {
    for (const line of lineLengths) {
      const answer = made(shown, line)
      if (shown === 0 || count(JSON.stringify(answer)) <= searchTokens - envelopeTokens) return answer
    }
  }
}

const maxTitleLength = 80

function hitLine({ memory, score }: MemoryHit, line: number): JsonObject {
  const { id, title, description, outcome, confidence } = memory
  return {
    id,
    title: cutLine(title, maxTitleLength),
    ...(line > 0 && { description: cutLine(description, line) }),
    outcome,
    confidence: rounded(confidence),
    score: rounded(score),
  }
}

function wholeMemory(memory: Memory): JsonObject {
  const { id, title, description, content, outcome, task, tags, confidence, scope, sources, agent, session } =
    memory
  return {
    id,
    title,
    description,
    outcome,
    confidence: rounded(confidence),
    ...(task !== '' && { task }),
    ...(tags.length > 0 && { tags: [...tags] }),
    scope,
    agent,
    session,
    ...(memory.branch !== undefined && { branch: memory.branch }),
    ...(sources.length > 0 && { from: [...sources] }),
    created: dateOf(memory.created),
    ...(memory.changed > memory.created && { changed: dateOf(memory.changed) }),
    ...(memory.mergedInto !== undefined && { merged_into: memory.mergedInto }),
    content,
  }
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100
}

function dateOf(time: number): string {
  return new Date(time).toISOString()
}
