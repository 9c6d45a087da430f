/** How a memory is shown. Its text is somebody else's: nothing in it may steer the terminal. */

import type { Memory } from '../../../compose/memory-files.ts'
import { visibleText } from '../../../platform/visible-text.ts'
import type { CliIo } from '../../ui/output.ts'

/** `1 memory`, `2 memories`. */
export function memories(count: number): string {
  return count === 1 ? '1 memory' : `${count.toLocaleString('en')} memories`
}

/** What `--json` says of a memory wherever one stands in an answer. */
export function memoryJson(memory: Memory): Omit<MemoryJson, 'content'> {
  const { evidence, branch, used, mergedInto } = memory
  return {
    id: memory.id,
    title: memory.title,
    description: memory.description,
    outcome: memory.outcome,
    confidence: rounded(memory.confidence),
    helped: evidence.helped,
    misled: evidence.misled,
    task: memory.task,
    tags: memory.tags,
    scope: memory.scope,
    project: memory.project,
    agent: memory.agent,
    session: memory.session,
    ...(branch !== undefined && { branch }),
    sources: memory.sources,
    created: isoTime(memory.created),
    changed: isoTime(memory.changed),
    ...(used !== undefined && { used: isoTime(used) }),
    ...(mergedInto !== undefined && { merged_into: mergedInto }),
  }
}

export interface MemoryJson {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly outcome: Memory['outcome']
  readonly confidence: number
  readonly helped: number
  readonly misled: number
  readonly task: string
  readonly tags: readonly string[]
  readonly scope: Memory['scope']
  readonly project: string
  readonly agent: string
  readonly session: string
  readonly branch?: string
  readonly sources: readonly string[]
  readonly created: string
  readonly changed: string
  readonly used?: string
  readonly merged_into?: string
  readonly content: string
}

export function fullMemoryJson(memory: Memory): MemoryJson {
  return { ...memoryJson(memory), content: memory.content }
}

/** Everything about one memory. */
export function printMemory(memory: Memory, io: CliIo): void {
  const { title, description, outcome, confidence, tags, task, sources, mergedInto, used } = memory
  const line = (name: string, value: string): string[] =>
    value === '' ? [] : [`  ${name.padEnd(12)} ${value}`]
  const lines = [
    `${memory.id}  ${title}`,
    ...line('when', description),
    ...line('outcome', `${outcome}, confidence ${percent(confidence)}`),
    ...line('tags', tags.join(', ')),
    ...line('task', task),
    ...line('of', ownerText(memory)),
    ...line('from', sources.join(', ')),
    ...line('created', `${isoTime(memory.created)} by ${memory.agent || 'nobody'}`),
    ...line('changed', memory.changed === memory.created ? '' : isoTime(memory.changed)),
    ...line('last used', used === undefined ? '' : isoTime(used)),
    ...line('merged into', mergedInto ?? ''),
  ]
  // A line of its own text must not look like one of ours.
  const text = memory.content.split('\n').map((part) => `    ${part}`)
  for (const part of [...lines, '', ...text]) printText(part, io)
}

/** Tabs are harmless; whatever else is not plainly visible is shown as its code. */
function printText(text: string, io: CliIo): void {
  io.stdout.write(`${text.split('\t').map(visibleText).join('\t').trimEnd()}\n`)
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

export function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}

export function ownerText({ scope, project }: Pick<Memory, 'scope' | 'project'>): string {
  return scope === 'user' ? 'every project' : project
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
