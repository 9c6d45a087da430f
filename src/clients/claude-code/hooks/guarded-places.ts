/** Paths that no agent may access, except its own transcript and output. */

import { basename, dirname } from 'node:path'

import { readGuardedList, type Guarded, type GuardedList } from './guarded-list.ts'
import type { HookPayload, HookPorts } from './hook.ts'
import { kernelPath, realName, seenFromHere } from './path-names.ts'
import {
  absolutePattern,
  isPlain,
  mayMeet,
  startsUnknown,
  toPattern,
  type ShellPathPattern,
} from './path-pattern.ts'
import { ONE, STAR, UNKNOWN } from './shell-words.ts'

export interface GuardedPlaces {
  /** What a path or pattern may resolve to. Relative ones start at `base`. */
  reachedBy(path: ShellPathPattern, base?: ShellPathPattern): Guarded | undefined
  /** Whether the folder contains a guarded path. */
  liesBelow(folder: ShellPathPattern, base?: ShellPathPattern): boolean
  /** Whether this is in a folder of the client or of contextd, where a path with unknown parts may be guarded. */
  isNear(path: ShellPathPattern, base?: ShellPathPattern): boolean
}

export async function readGuardedPlaces(payload: HookPayload, ports: HookPorts): Promise<GuardedPlaces> {
  const list = await readGuardedList(payload, ports)
  return {
    reachedBy(path, base = payload.cwd) {
      if (path.replaceAll(wildcards, '').length > maxPathLength) return undefined
      const from = absolutePattern(base, payload.cwd)
      const pattern = fromHere(path, from)
      const names = new Set([pattern, realName(pattern), kernelPath(path, from)])
      for (const name of names) {
        const what = reaches(name, list)
        const isCallers = isPlain(name) && what === 'transcript' && isCallersOwn(name, payload)
        if (what !== undefined && !isCallers) return what
      }
      return undefined
    },
    liesBelow(folder, base = payload.cwd) {
      const pattern = fromHere(folder, base)
      if (startsUnknown(pattern) || pattern.length > maxPathLength) return false
      return [pattern, realName(pattern)].some((name) => {
        const below = `${name === '/' ? '' : name}${toPattern('/**')}`
        return list.inFolders.some((guarded) => mayMeet(below, guarded))
      })
    },
    isNear(path, base = payload.cwd) {
      const pattern = fromHere(path, base)
      if (startsUnknown(pattern)) return false
      return [pattern, realName(pattern)].some((name) => isBelow(`${name}/`, list.folders))
    },
  }
}

/** What one name of a path may be. */
function reaches(
  pattern: ShellPathPattern,
  { paths, clientFolders, folders }: GuardedList,
): Guarded | undefined {
  if (!isPlain(pattern) && isBelow(pattern, clientFolders) && looksLikeTranscript(pattern))
    return 'transcript'
  const known = pattern.includes(UNKNOWN) ? pattern.slice(0, pattern.indexOf(UNKNOWN)) : pattern
  const mayBeAnywhere = known === pattern || isBelow(known, folders) || isSuspicious(pattern)
  const meanings = mayBeAnywhere ? [pattern, withoutUnknown(pattern)] : withinNames(pattern)
  return paths.find((one) => meanings.some((meaning) => mayMeet(meaning, one.pattern)))?.what
}

/** Whether a transcript or output is the caller's own. Only a literal path can be recognized. */
function isCallersOwn(path: string, { session_id, agent_id }: HookPayload): boolean {
  const name = basename(path)
  const folder = basename(dirname(path))
  if (folder === 'tasks') {
    // For an agent this is a link to its transcript; for a command, the output file itself.
    return name === `${agent_id}.output` || (!isAgentsTask(name) && path.includes(`/${session_id}/`))
  }
  if (path.includes('/subagents')) return agent_id !== undefined && name.startsWith(`agent-${agent_id}.`)
  if (path.includes('/tool-results')) return path.includes(`/${session_id}/tool-results`)
  return agent_id === undefined && name === `${session_id}.jsonl`
}

/**
 * By the first letter of its id: `b`, `k`, `m` and `s` are commands, calls of MCP servers and what watches them. The
 * others are subagents (`a`), teammates, workflows and agents that run elsewhere, or not known yet.
 */
export function isAgentsTask(id: string): boolean {
  return !/^[bkms]/.test(id)
}

function isBelow(pattern: ShellPathPattern, folders: readonly string[]): boolean {
  return folders.some((folder) => pattern.toLowerCase().startsWith(`${folder.toLowerCase()}/`))
}

function fromHere(path: ShellPathPattern, base: ShellPathPattern): ShellPathPattern {
  return absolutePattern(seenFromHere(path, base), base)
}

/** No system accepts longer paths. */
const maxPathLength = 4096

const transcriptFolders = ['subagents', 'tool-results']
const ownNames = /\/contextd\/|\/(?:contextd\.db|hook\.sock|context-map\.toml)$/i

/**
 * A partly unknown path may lead anywhere. It is refused only if its known part suggests a guarded path; otherwise
 * commands with variables would hardly be usable.
 */
function isSuspicious(pattern: ShellPathPattern): boolean {
  return (
    /(?:^|\/)\.claude\/|\/tasks\//i.test(pattern) || ownNames.test(pattern) || looksLikeTranscript(pattern)
  )
}

function looksLikeTranscript(pattern: ShellPathPattern): boolean {
  return pattern.split('/').some((segment) => {
    const letters = segment.replaceAll(wildcards, '').length
    return (
      /^agent-/i.test(segment) || (letters >= 4 && transcriptFolders.some((name) => mayMeet(segment, name)))
    )
  })
}
const wildcards = new RegExp(`[${UNKNOWN}${STAR}${ONE}]`, 'g')

/** Unknown parts replaced by nothing, like unset variables. */
function withoutUnknown(pattern: ShellPathPattern): ShellPathPattern {
  return pattern.replaceAll(`/${UNKNOWN}/`, '/').replaceAll(UNKNOWN, '')
}

/**
 * For a path that starts at a known folder and continues after the unknown part: the unknown part is read as a name,
 * as part of one, or as empty. `~/$folder/$file` has too little to go by.
 */
function withinNames(pattern: ShellPathPattern): ShellPathPattern[] {
  const rest = pattern.slice(pattern.indexOf(UNKNOWN) + 1)
  const hasKnownName = rest.split('/').some((segment) => segment.replaceAll(wildcards, '').length >= 3)
  return hasKnownName && !startsUnknown(pattern)
    ? [pattern.replaceAll(UNKNOWN, STAR), withoutUnknown(pattern)]
    : []
}
