/** What `ctxd context list` and `check` report about a map: everything but the keys. */

import { sep } from 'node:path'

import { realPathOf } from '../real-path.ts'
import { linesOfKeys, type ContextEntry } from './context-map.ts'
import { hashOfKey, recordOfHash } from './key-hash.ts'
import { octal, type MapFile } from './map-file.ts'
import { readMarkdownFile } from './markdown-file.ts'

export interface ListedContext extends Pick<ContextEntry, 'path' | 'file' | 'agents' | 'require'> {
  /** The hash of its key, as in records. */
  readonly id: string
  readonly line: number
}

export interface ContextRemark {
  readonly severity: 'error' | 'warning'
  /** Absent for problems of the whole map. */
  readonly line?: number
  readonly message: string
}

export function listContexts({ entries, text }: MapFile, hashKey: Buffer): ListedContext[] {
  const lines = linesOfKeys(text)
  return entries.map(({ key, path, file, agents, require }) => ({
    id: recordOfHash(hashOfKey(key, hashKey)),
    path,
    file,
    agents,
    require,
    line: lines.get(key) ?? 1,
  }))
}

export interface CheckPlace {
  readonly stateFolder: string
  /** The folder agents work in. */
  readonly project: string
  /** The folder a terminal opens in. It contains everything of a user and is not a project. */
  readonly home: string
}

/** Shorter keys can be guessed, if nothing but the key protects the context. */
const minKeyLength = 20

export async function checkContexts(map: MapFile, place: CheckPlace): Promise<ContextRemark[]> {
  if (map.problems.length > 0) return map.problems.map((problem) => ({ severity: 'error', ...problem }))
  const remarks: ContextRemark[] = []
  const project = realPathOf(place.project)
  const isProject = project !== realPathOf(place.home)
  if ((map.mode & 0o044) !== 0) {
    const message = `other users can read the keys (mode ${octal(map.mode)}); run chmod 600 on the map`
    remarks.push({ severity: 'warning', message })
  }
  const lines = linesOfKeys(map.text)
  const lineByFile = new Map<string, number>()
  const linesByAgent = new Map<string, number[]>()
  for (const entry of map.entries) {
    const line = lines.get(entry.key) ?? 1
    const warn = (message: string): unknown => remarks.push({ severity: 'warning', line, message })
    if (entry.agents.length === 0 && entry.key.length < minKeyLength) {
      warn(`the key has less than ${minKeyLength} characters, and nothing else keeps strangers out`)
    }
    for (const agent of new Set(entry.agents)) {
      linesByAgent.set(agent, [...(linesByAgent.get(agent) ?? []), line])
    }
    const read = await readMarkdownFile(entry.file, place.stateFolder, place.project)
    if (read.kind === 'refused') {
      remarks.push({ severity: 'error', line, message: `the file cannot be loaded: ${read.problem}` })
      continue
    }
    const { realPath, mode, text } = read
    if (text.trim() === '') warn('the file is empty')
    if ((mode & 0o022) !== 0) warn(`other users can change the file (mode ${octal(mode)})`)
    if (isProject && realPath.startsWith(project + sep)) {
      warn('the file is in this project, where every agent can read it')
    }
    const same = lineByFile.get(realPath)
    if (same === undefined) lineByFile.set(realPath, line)
    else warn(`the file is already in line ${same}`)
  }
  for (const [agent, all] of linesByAgent) {
    if (all.length < 2) continue
    const message = `${agent} has ${all.length} contexts (lines ${all.join(', ')}) and needs a key to choose one`
    remarks.push({ severity: 'warning', message })
  }
  return remarks.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}
