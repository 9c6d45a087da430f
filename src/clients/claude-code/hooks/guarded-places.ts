/** What no agent may reach by a path, unless it is its own. */

import { lstatSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve, sep } from 'node:path'

import type { HookPayload, HookPorts } from './hook.ts'
import { absolutePattern, isPlain, mayMeet, toPattern, type ShellPathPattern } from './path-pattern.ts'
import { ONE, STAR, UNKNOWN } from './shell-words.ts'

export type Guarded = 'transcript' | 'own' | 'agent-file' | 'private-file'

export interface GuardedPlaces {
  /** What a path, wildcards or not, may lead to. Relative ones begin at `base`. */
  reachedBy(path: ShellPathPattern, base?: ShellPathPattern): Guarded | undefined
  /** Whether something guarded lies below this folder. */
  liesBelow(folder: ShellPathPattern, base?: ShellPathPattern): boolean
  /** Whether this is in a folder of the client or of contextd: what a command does not spell out may lie there too. */
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
  const ours = unique([...ownFolders, ...(env.CLAUDE_PLUGIN_DATA ? [env.CLAUDE_PLUGIN_DATA] : [])])

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
    // OpenCode runs what lies here, and that is what attests its calls.
    ...at('own', opencodeConfig, '/plugin*/contextd.js'),
    { what: 'own', pattern: toPattern('**/.opencode/plugin*/contextd.js') },
    ...at('own', ours, '', '/**'),
    // Where our own hook puts the client's shell behind us.
    ...at('own', clientFolders, '/session-env', '/session-env/**'),
    // The client runs these before that line.
    ...at('own', clientFolders, '/shell-snapshots', '/shell-snapshots/**'),
  ]
  const privateFiles = at('private-file', unique(await ports.privateFiles()), '')
  const scratchOutputs = scratch.map((folder) => `${folder}${toPattern('/claude-*/*/*/tasks')}`)
  const underFolders = [
    ...places.filter(({ pattern }) => !isVague(pattern)).map(({ pattern }) => pattern),
    ...scratchOutputs,
  ]
  const named = [...clientFolders, ...plugin, ...ours, ...opencode]

  /** A path that is spelled out can be told to be the caller's own. */
  const isOwn = (path: string, what: Guarded): boolean => {
    if (what !== 'transcript') return false
    const { session_id, agent_id } = payload
    const name = basename(path)
    const folder = basename(dirname(path))
    if (folder === 'tasks') {
      // What stands here for an agent is a link to its transcript; for a command it is the file itself.
      return name === `${agent_id}.output` || (!name.startsWith('a') && path.includes(`/${session_id}/`))
    }
    if (path.includes('/subagents')) return agent_id !== undefined && name.startsWith(`agent-${agent_id}.`)
    if (path.includes('/tool-results')) return path.includes(`/${session_id}/tool-results`)
    return agent_id === undefined && name === `${session_id}.jsonl`
  }

  const isBelow = (pattern: ShellPathPattern, folders: readonly string[]): boolean =>
    folders.some((folder) => pattern.toLowerCase().startsWith(`${folder.toLowerCase()}/`))
  const reaches = (pattern: ShellPathPattern): Guarded | undefined => {
    if (!isPlain(pattern) && isBelow(pattern, clientFolders) && isTelling(pattern)) return 'transcript'
    const known = pattern.includes(UNKNOWN) ? pattern.slice(0, pattern.indexOf(UNKNOWN)) : pattern
    const isOpen = known === pattern || isBelow(known, named) || isSuspicious(pattern)
    const meanings = isOpen ? [pattern, withoutUnknown(pattern)] : withinNames(pattern)
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
      const names = new Set([pattern, realName(pattern), walked(path, from)])
      for (const name of names) {
        const found = reaches(name)
        if (found !== undefined) return found
      }
      return undefined
    },
    liesBelow(folder, base = payload.cwd) {
      const pattern = fromHere(folder, base)
      if (isVague(pattern) || pattern.length > maxPathLength) return false
      return [pattern, realName(pattern)].some((name) => {
        const below = `${name === '/' ? '' : name}${toPattern('/**')}`
        return underFolders.some((guarded) => mayMeet(below, guarded))
      })
    },
    isNear(path, base = payload.cwd) {
      const pattern = fromHere(path, base)
      return !isVague(pattern) && [pattern, realName(pattern)].some((name) => isBelow(`${name}/`, named))
    },
  }
}

/** Begins with what nobody knows, and so may lie anywhere. */
function isVague(pattern: ShellPathPattern): boolean {
  return pattern.startsWith(UNKNOWN)
}

/** No system takes a longer one. */
const maxPathLength = 4096

const telling = ['subagents', 'tool-results']
const ownNames = /\/contextd\/|\/(?:contextd\.db|hook\.sock|context-map\.toml)$/i

/**
 * A path of which a part is unknown may lead anywhere; it counts only where what is known of it points to a guarded
 * place, or commands with variables could hardly be used.
 */
function isSuspicious(pattern: ShellPathPattern): boolean {
  return /(?:^|\/)\.claude\/|\/tasks\//i.test(pattern) || ownNames.test(pattern) || isTelling(pattern)
}

function isTelling(pattern: ShellPathPattern): boolean {
  return pattern.split('/').some((segment) => {
    const letters = segment.replaceAll(wildcards, '').length
    return /^agent-/i.test(segment) || (letters >= 4 && telling.some((name) => mayMeet(segment, name)))
  })
}
const wildcards = new RegExp(`[${UNKNOWN}${STAR}${ONE}]`, 'g')

/** Where names that are unknown stand for nothing, as variables do that nobody has set. */
function withoutUnknown(pattern: ShellPathPattern): ShellPathPattern {
  return pattern.replaceAll(`/${UNKNOWN}/`, '/').replaceAll(UNKNOWN, '')
}

/**
 * A path that begins at a known folder and of which something is known behind the unknown: what is unknown counts as a
 * name, as a part of one, or as nothing. `~/$folder/$file` says too little.
 */
function withinNames(pattern: ShellPathPattern): ShellPathPattern[] {
  const rest = pattern.slice(pattern.indexOf(UNKNOWN) + 1)
  const isTold = rest.split('/').some((segment) => segment.replaceAll(wildcards, '').length >= 3)
  return isTold && !isVague(pattern) ? [pattern.replaceAll(UNKNOWN, STAR), withoutUnknown(pattern)] : []
}

/** `/proc/self/root` and `/proc/self/cwd` mean something else in every process. */
function seenFromHere(path: ShellPathPattern, cwd: string): ShellPathPattern {
  return path.replace(/^\/+proc\/[^/]+\/(?:task\/[^/]+\/)?(root|cwd)(?=\/|$)/, (_, what: string) =>
    what === 'root' ? '' : cwd,
  )
}

/** Links followed as far as the path is spelled out and exists. */
export function realName(pattern: ShellPathPattern): ShellPathPattern {
  const segments = pattern.split('/')
  const wild = segments.findIndex((segment) => !isPlain(segment))
  const spelled = wild === -1 ? segments.length : wild
  for (let length = spelled; length > 1; length -= 1) {
    try {
      const real = realpathSync(segments.slice(0, length).join('/') || '/')
      return absolutePattern(`${real}/${segments.slice(length).join('/')}`, '/')
    } catch {
      // Not there; perhaps the folder above it is.
    }
  }
  return pattern
}

/** Where the kernel goes: a link is followed before `..` behind it leads up, and so are the names of /proc. */
function walked(path: ShellPathPattern, base: ShellPathPattern): ShellPathPattern {
  const whole = path.startsWith('/') || isVague(path) ? path : `${base}/${path}`
  if (isVague(whole) || !/\/\.\.(?:\/|$)|^(?=\/)[/.]*\/(?:proc|dev)\//.test(whole)) {
    return absolutePattern(whole, '/')
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

/** Each folder by every name it has, without a slash at its end. */
function unique(folders: readonly string[]): string[] {
  const named = folders.filter((folder) => folder.startsWith(sep) && resolve(folder) !== sep)
  return [...new Set(named.flatMap(bothNames))]
}
