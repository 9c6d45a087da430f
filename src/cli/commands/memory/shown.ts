/** Prints memories. Their text is untrusted: control characters must not reach the terminal. */

import { toFields } from '../../../memory/bank/jsonl.ts'
import type { Memory } from '../../../memory/bank/memory.ts'
import { visibleText } from '@contextd/shared/text/visible-text'
import type { CliIo } from '@contextd/shared/cli/output'

/** `1 memory`, `2 memories`. */
export function memories(count: number): string {
  return count === 1 ? '1 memory' : `${count.toLocaleString('en')} memories`
}

/** A memory in `--json`: the fields of its file, and its confidence. */
export function fullMemoryJson(memory: Memory) {
  return { ...toFields({ memory }), confidence: rounded(memory.confidence) }
}

/** Without its content, for lists. */
export function memoryJson(memory: Memory) {
  const { content: _, ...brief } = fullMemoryJson(memory)
  return brief
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
    ...line('created', `${isoTime(memory.created)} by ${memory.agent || '(unknown)'}`),
    ...line('changed', memory.changed === memory.created ? '' : isoTime(memory.changed)),
    ...line('last used', used === undefined ? '' : isoTime(used)),
    ...line('merged into', mergedInto ?? ''),
  ]
  // A line of its text must not look like a field.
  const text = memory.content.split('\n').map((part) => `    ${part}`)
  for (const part of [...lines, '', ...text]) printText(part, io)
}

/** Tabs are harmless; other invisible characters are escaped. */
function printText(text: string, io: CliIo): void {
  io.stdout.write(`${text.split('\t').map(visibleText).join('\t').trimEnd()}\n`)
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

export function rounded(share: number): number {
  return Math.round(share * 1000) / 1000
}

function ownerText({ scope, project }: Pick<Memory, 'scope' | 'project'>): string {
  return scope === 'user' ? 'every project' : project
}

function isoTime(time: number): string {
  return new Date(time).toISOString()
}
