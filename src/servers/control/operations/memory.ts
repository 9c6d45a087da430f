/** Memories, for the operator, who can access every memory of every project. */

import { ContextdError, shortName } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { memoryScopes } from '../../../core/memory-scope.ts'
import type { Bank, ListOptions, MemoryChanges } from '../../../memory/bank/bank.ts'
import { outcomes, type Memory } from '../../../memory/bank/memory.ts'
import type { Operation, OperationHost } from './operation.ts'
import { choiceIn, countField, flagIn, textIn, stringsField, theText, wrong } from './request.ts'

export const memoryOperations: readonly Operation[] = [
  {
    rpc: 'Memory/List',
    async run(request, host) {
      const { bank, user } = await desk(host)
      const filter: ListOptions = {
        scope: choiceIn(request, 'scope', memoryScopes) ?? 'all',
        ...given('project', textIn(request, 'project')),
        outcome: choiceIn(request, 'outcome', outcomes),
        tag: textIn(request, 'tag'),
        merged: flagIn(request, 'merged'),
        limit: countField(request, 'limit', { min: 1 }) ?? usualPage,
        after: countField(request, 'after'),
      }
      const { memories, total, next } = bank.list(user, filter)
      const brief = await withoutContent()
      return { memories: memories.map(brief), total, ...given('next', next) }
    },
  },
  {
    rpc: 'Memory/Edit',
    async run(request, host) {
      const { bank, user } = await desk(host)
      const id = theText(request, 'id')
      const toFullJson = await loadFullJson()
      const seen = memoryOf(bank.get(user, [id], { isPeek: true }), id)
      const changes = differences(seen, changesIn(request))
      const changed = Object.keys(changes)
      if (changed.length === 0) return { memory: toFullJson(seen), changed }
      const { memory, note } = await bank.edit(user, id, changes)
      noteDone(host, 'memory-edited', { id, fields: changed })
      return { memory: toFullJson(memory), changed, ...given('note', note) }
    },
  },
  {
    rpc: 'Memory/Delete',
    async run(request, host) {
      const { bank, user } = await desk(host)
      // Fails for unknown ids before anything is deleted.
      const deletedIds = bank.get(user, [...new Set(theIds(request))], { isPeek: true }).map(({ id }) => id)
      noteDone(host, 'memory-deleted', { ids: deletedIds.slice(0, maxNamed), count: deletedIds.length })
      const { restored, note } = await bank.remove(user, deletedIds)
      return { deleted: deletedIds, back: [...restored], ...given('note', note) }
    },
  },
]

const usualPage = 20
/** Maximum number of ids in an audit record. */
const maxNamed = 100

async function desk({ runtime: { memory } }: OperationHost) {
  return { bank: await memory.bank(), user: memory.operatorIn() }
}

/** A memory with the fields of its file, and its confidence. Loaded on demand: the daemon starts without it. */
async function loadFullJson(): Promise<(memory: Memory) => JsonObject> {
  const { toFields } = await import('../../../memory/bank/jsonl.ts')
  return (memory) => ({ ...toFields({ memory }), confidence: rounded(memory.confidence) }) as JsonObject
}

async function withoutContent(): Promise<(memory: Memory) => JsonObject> {
  const toFullJson = await loadFullJson()
  return (memory) => {
    const { content: _, ...brief } = toFullJson(memory)
    return brief
  }
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}

function theIds(request: JsonObject): string[] {
  const ids = stringsField(request, 'ids') ?? []
  if (ids.length === 0) throw wrong('ids', 'the ids of memories')
  return ids
}

function memoryOf([memory]: ReturnType<Bank['get']>, id: string): Memory {
  if (memory === undefined) throw new ContextdError('MEMORY_NOT_FOUND', { id: shortName(id) })
  return memory
}

function changesIn(request: JsonObject): MemoryChanges {
  return {
    title: textIn(request, 'title'),
    description: textIn(request, 'description'),
    content: textIn(request, 'content'),
    outcome: choiceIn(request, 'outcome', outcomes),
    task: textIn(request, 'task'),
    tags: stringsField(request, 'tags'),
    scope: choiceIn(request, 'scope', ['project', 'user']),
  }
}

const editable = ['title', 'description', 'content', 'outcome', 'task', 'tags', 'scope'] as const

export function differences(seen: Memory, wanted: MemoryChanges): MemoryChanges {
  const changed = editable.filter(
    (field) => wanted[field] !== undefined && JSON.stringify(wanted[field]) !== JSON.stringify(seen[field]),
  )
  return Object.fromEntries(changed.map((field) => [field, wanted[field]]))
}

function noteDone({ runtime, call }: OperationHost, event: string, details: JsonObject): void {
  runtime.audit.event(event, details, { project: call.project, session: call.session })
}

function given<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: T })
}
