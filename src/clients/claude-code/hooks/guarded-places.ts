/** Paths that no agent may access, except its own transcript and output. */

import { lstatSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'

import type { HookPayload, HookPorts } from './hook.ts'
import { absolutePattern, isPlain, mayMeet, toPattern, type ShellPathPattern } from './path-pattern.ts'
import { ONE, STAR, UNKNOWN } from './shell-words.ts'

export type Guarded = 'transcript' | 'own' | 'agent-file' | 'private-file'

export interface GuardedPlaces {
  /** What a path or pattern may resolve to. Relative ones start at `base`. */
  reachedBy(path: ShellPathPattern, base?: ShellPathPattern): Guarded | undefined
  /** Whether the folder contains a guarded path. */
  liesBelow(folder: ShellPathPattern, base?: ShellPathPattern): boolean
  /** Whether this is in a folder of the client or of contextd, where a path with unknown parts may be guarded. */
  isNear(path: ShellPathPattern, base?: ShellPathPattern): boolean
}

interface Place {
  readonly what: Guarded
  readonly pattern: ShellPathPattern
}

export async function readGuardedPlaces(payload: HookPayload, ports: HookPorts): Promise<GuardedPlaces> {
  const { env, ownFolders } = ports
  const home = env.HOME ?? ''
  const clientFolders = unique([
    join(home, '.claude'),
    ...(env.CLAUDE_CONFIG_DIR ? [env.CLAUDE_CONFIG_DIR] : []),
    // $CFG/projects/<slug>/<session>.jsonl
    ...(payload.transcript_path === undefined ? [] : [dirname(dirname(dirname(payload.transcript_path)))]),
  ])
  const scratch = unique([env.CLAUDE_CODE_TMPDIR, env.TMPDIR, tmpdir(), '/tmp'].map((folder) => folder ?? ''))
  const plugin = env.CLAUDE_PLUGIN_ROOT ? [env.CLAUDE_PLUGIN_ROOT] : []
  const ownPaths = unique([...ownFolders, ...(env.CLAUDE_PLUGIN_DATA ? [env.CLAUDE_PLUGIN_DATA] : [])])

  const opencode = unique([join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode')])
  const opencodeConfig = unique([join(env.XDG_CONFIG_HOME || join(home, '.config'), 'opencode')])

  const at = (what: Guarded, folders: readonly string[], ...below: string[]): Place[] =>
    folders.flatMap((folder) => below.map((rest) => ({ what, pattern: `${folder}${toPattern(rest)}` })))
  const places: readonly Place[] = [
    ...at(
      'transcript',
      clientFolders,
      '/projects/*/*.jsonl',
      '/projects/*/*/subagents',
      '/projects/*/*/subagents/**',
    ),
    ...at('transcript', clientFolders, '/projects/*/*/tool-results', '/projects/*/*/tool-results/**'),
    { what: 'transcript', pattern: toPattern('**/tasks/*.output') },
    ...at(
      'agent-file',
      clientFolders,
      '/agents',
      '/agents/**',
      '/plugins/**/agents',
      '/plugins/**/agents/**',
    ),
    ...at('agent-file', plugin.flatMap(bothNames), '/agents', '/agents/**'),
    ...at('transcript', opencode, '/*.db*', '/storage', '/storage/**'),
    ...at('agent-file', opencodeConfig, '/agent', '/agent/**', '/agents', '/agents/**'),
    // OpenCode runs these files, and they attest its calls.
    ...at('own', opencodeConfig, '/plugin*/contextd.js'),
    { what: 'own', pattern: toPattern('**/.opencode/plugin*/contextd.js') },
    ...at('own', ownPaths, '', '/**'),
    // Our hook puts the line that wraps the client's shell here.
    ...at('own', clientFolders, '/session-env', '/session-env/**'),
    // The client runs these before that line.
    ...at('own', clientFolders, '/shell-snapshots', '/shell-snapshots/**'),
  ]
  const privateFiles = at('private-file', unique(await ports.privateFiles()), '')
  const scratchOutputs = scratch.map((folder) => `${folder}${toPattern('/claude-*/*/*/tasks')}`)
  const underFolders = [
    ...places.filter(({ pattern }) => !startsUnknown(pattern)).map(({ pattern }) => pattern),
    ...scratchOutputs,
  ]
  const named = [...clientFolders, ...plugin, ...ownPaths, ...opencode]

  /** Only a literal path can be recognized as the caller's own. */
  const isOwn = (path: string, what: Guarded): boolean => {
    if (what !== 'transcript') return false
    const { session_id, agent_id } = payload
    const name = basename(path)
    const folder = basename(dirname(path))
    if (folder === 'tasks') {
      // For an agent this is a link to its transcript; for a command, the output file itself.
      return name === `${agent_id}.output` || (!name.startsWith('a') && path.includes(`/${session_id}/`))
    }
    if (path.includes('/subagents')) return agent_id !== undefined && name.startsWith(`agent-${agent_id}.`)
    if (path.includes('/tool-results')) return path.includes(`/${session_id}/tool-results`)
    return agent_id === undefined && name === `${session_id}.jsonl`
  }

  const isBelow = (pattern: ShellPathPattern, folders: readonly string[]): boolean =>
    folders.some((folder) => pattern.toLowerCase().startsWith(`${folder.toLowerCase()}/`))
  const reaches = (pattern: ShellPathPattern): Guarded | undefined => {
    if (!isPlain(pattern) && isBelow(pattern, clientFolders) && looksLikeTranscript(pattern))
      return 'transcript'
    const known = pattern.includes(UNKNOWN) ? pattern.slice(0, pattern.indexOf(UNKNOWN)) : pattern
    const mayBeAnywhere = known === pattern || isBelow(known, named) || isSuspicious(pattern)
    const meanings = mayBeAnywhere ? [pattern, withoutUnknown(pattern)] : withinNames(pattern)
    const place = [...places, ...privateFiles].find((one) =>
      meanings.some((meaning) => mayMeet(meaning, one.pattern)),
    )
    if (place === undefined || (isPlain(pattern) && isOwn(pattern, place.what))) return undefined
    return place.what
  }
  const fromHere = (path: ShellPathPattern, base: ShellPathPattern): ShellPathPattern =>
    absolutePattern(seenFromHere(path, base), base)

  return {
    reachedBy(path, base = payload.cwd) {
      if (path.replaceAll(wildcards, '').length > maxPathLength) return undefined
      const from = absolutePattern(base, payload.cwd)
      const pattern = fromHere(path, from)
      const names = new Set([pattern, realName(pattern), kernelPath(path, from)])
      for (const name of names) {
        const found = reaches(name)
        if (found !== undefined) return found
      }
      return undefined
    },
    liesBelow(folder, base = payload.cwd) {
      const pattern = fromHere(folder, base)
      if (startsUnknown(pattern) || pattern.length > maxPathLength) return false
      return [pattern, realName(pattern)].some((name) => {
        const below = `${name === '/' ? '' : name}${toPattern('/**')}`
        return underFolders.some((guarded) => mayMeet(below, guarded))
      })
    },
    isNear(path, base = payload.cwd) {
      const pattern = fromHere(path, base)
      return (
        !startsUnknown(pattern) && [pattern, realName(pattern)].some((name) => isBelow(`${name}/`, named))
      )
    },
  }
}

/** Starts with an unknown part, so it may be anywhere. */
function startsUnknown(pattern: ShellPathPattern): boolean {
  return pattern.startsWith(UNKNOWN)
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

/** `/proc/self/root` and `/proc/self/cwd` differ in every process. */
function seenFromHere(path: ShellPathPattern, cwd: string): ShellPathPattern {
  return path.replace(/^\/+proc\/[^/]+\/(?:task\/[^/]+\/)?(root|cwd)(?=\/|$)/, (_, what: string) =>
    what === 'root' ? '' : cwd,
  )
}

/** Resolves links in the literal prefix of the path that exists. */
export function realName(pattern: ShellPathPattern): ShellPathPattern {
  const segments = pattern.split('/')
  const firstWildcard = segments.findIndex((segment) => !isPlain(segment))
  const literalCount = firstWildcard === -1 ? segments.length : firstWildcard
  for (let length = literalCount; length > 1; length -= 1) {
    try {
      const real = realpathSync(segments.slice(0, length).join('/') || '/')
      return absolutePattern(`${real}/${segments.slice(length).join('/')}`, '/')
    } catch {
      // Does not exist; try its parent.
    }
  }
  return pattern
}

/** Resolves the path as the kernel does: links, including those in /proc, before a following `..`. */
function kernelPath(path: ShellPathPattern, base: ShellPathPattern): ShellPathPattern {
  const full = path.startsWith('/') || startsUnknown(path) ? path : `${base}/${path}`
  if (startsUnknown(full) || !/\/\.\.(?:\/|$)|^(?=\/)[/.]*\/(?:proc|dev)\//.test(full)) {
    return absolutePattern(full, '/')
  }
  let at = path.startsWith('/') ? '' : realName(absolutePattern(base, '/'))
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') {
      const next = seenFromHere(`${at}/${segment}`, base)
      at = isPlain(next) && isLink(next) ? realName(next) : next
    } else if (isPlain(at.slice(at.lastIndexOf('/')))) at = dirname(at || '/')
    else at = UNKNOWN
    if (at === '/') at = ''
  }
  return at || '/'
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path || '/').isSymbolicLink()
  } catch {
    return false
  }
}

function bothNames(path: string): string[] {
  const name = resolve(path)
  const real = realName(name)
  return real === name ? [name] : [name, real]
}

/** Each folder by all of its names, without trailing slashes. */
function unique(folders: readonly string[]): string[] {
  const named = folders.filter((folder) => folder.startsWith(sep) && resolve(folder) !== sep)
  return [...new Set(named.flatMap(bothNames))]
}
