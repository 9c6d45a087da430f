/** Parses the sources that tools can be installed from. */

import { createHash } from 'node:crypto'

import { ContextdError } from '../../core/errors/errors.ts'
import { specialKindOf } from '../http/addresses.ts'
import { readTarget, type Host } from '../http/target.ts'
import { pathProblem } from './tree.ts'

/** A source of any kind. */
export interface ToolSource {
  /** Looks up the current revision. */
  resolve(): Promise<Resolved>
}

export interface Resolved {
  /** Differs whenever the content differs. */
  readonly revision: string
  /** Writes the tool's files to an existing, empty, private folder. Throws before it writes. */
  fetch(into: string): Promise<void>
}

export type SourceName =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'git'; readonly url: string; readonly ref?: string; readonly folder?: string }
  | { readonly kind: 'npm'; readonly name: string; readonly version: string }
  | { readonly kind: 's3'; readonly place: string }

/** `sha256`: the required hash, in lower case. */
export type ParsedSource = SourceName & { readonly sha256?: string }

const kinds =
  'a folder, a .tar.gz or .zip file, an https address of one, git::<address>@<ref>//<folder>, github.com/<owner>/<repository>@<ref>, npm:<name>@<version> or s3::<bucket>/<key>'

/** Throws USAGE with the problem, which repeats none of the input. */
export function parseSource(given: string): ParsedSource {
  if (given === '' || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(given)) throw wrong(`a source is ${kinds}`)
  const [, text = '', fragment] = /^([^#]*)(?:#(.*))?$/s.exec(given) ?? []
  const sha256 = /^sha256=([0-9a-f]{64})$/i.exec(fragment ?? '')?.[1]?.toLowerCase()
  if (fragment !== undefined && sha256 === undefined)
    throw wrong('behind # only sha256= with 64 hexadecimal digits can stand')
  return { ...parseName(text), ...(sha256 !== undefined && { sha256 }) }
}

function parseName(text: string): SourceName {
  if (text.startsWith('git::')) return parseGit(text.slice('git::'.length))
  if (text.startsWith('github.com/')) return parseGit(`https://${text}`)
  if (text.startsWith('npm:')) return parseNpm(text.slice('npm:'.length))
  if (text.startsWith('s3::')) return { kind: 's3', place: text.slice('s3::'.length) }
  if (/^https?:/i.test(text)) {
    const problem = addressProblem(text)
    if (problem !== undefined) throw wrong(problem)
    return { kind: 'url', url: text }
  }
  if (text.startsWith('-') || /^[a-z][a-z0-9+.-]*::?/i.test(text)) throw wrong(`a source is ${kinds}`)
  return { kind: 'path', path: text }
}

/** Why nothing is fetched from this URL; undefined if it is fine. */
export function addressProblem(text: string): string | undefined {
  const target = readTarget(text)
  if (typeof target === 'string') return target
  return target.secure || isLoopback(target.host)
    ? undefined
    : 'anyone on the way could change what comes over http: use https'
}

export function isLoopback({ name, address }: Host): boolean {
  return name === 'localhost' || (address !== undefined && specialKindOf(address) === 'loopback')
}

/** The part before the path: `https://host/`, `ssh://git@host:22/`, `file:///`, `git@host:`. */
const gitBase =
  /^(https?:\/\/[^/@]+\/|ssh:\/\/(?:[\w.-]+@)?[\w.-]+(?::\d+)?\/|file:\/\/\/|[\w.-]+@[\w.-]+:)(.+)$/
const refPattern = /^(?!-)(?!.*\.\.)[\w./+-]{1,200}$/

function parseGit(text: string): SourceName {
  const [, base = '', rest = ''] = gitBase.exec(text) ?? []
  if (base === '')
    throw wrong(
      'behind git:: an address must stand: https://…, ssh://…, git@host:… or file:///…, without a password',
    )
  if (/(?:^|[@/])-/.test(base)) throw wrong('the name of a host does not begin with "-"')
  if (/^https?:/.test(base)) {
    const problem = addressProblem(base)
    if (problem !== undefined) throw wrong(problem)
  }
  const end = rest.indexOf('//')
  const folder = end === -1 ? undefined : rest.slice(end + 2).replace(/\/$/, '')
  const place = end === -1 ? rest : rest.slice(0, end)
  const mark = place.lastIndexOf('@')
  const ref = mark === -1 ? undefined : place.slice(mark + 1)
  if (ref !== undefined && !refPattern.test(ref))
    throw wrong('behind @ a tag, a branch or a commit must stand')
  const problem = folder === undefined ? undefined : pathProblem(folder)
  if (problem !== undefined) throw wrong(`the folder behind // ${problem}`)
  return {
    kind: 'git',
    url: base + (mark === -1 ? place : place.slice(0, mark)),
    ...(ref !== undefined && { ref }),
    ...(folder !== undefined && { folder }),
  }
}

const npmPattern = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*)(?:@([a-z0-9][\w.+-]*))?$/i

/** Only registry names: npm also accepts URLs and folders, and runs their scripts. */
function parseNpm(text: string): SourceName {
  const [, name, version = 'latest'] = npmPattern.exec(text) ?? []
  if (name === undefined) throw wrong('behind npm: a name must stand, with a version or tag behind @')
  return { kind: 'npm', name, version }
}

/** Returns the hash of the bytes. Throws SHA256_MISMATCH if another was required. */
export function verifySha256(bytes: Buffer, wanted: string | undefined): string {
  const found = createHash('sha256').update(bytes).digest('hex')
  if (wanted !== undefined) requireSha256(found, wanted)
  return found
}

export function requireSha256(found: string, wanted: string): void {
  if (found !== wanted) throw new ContextdError('SHA256_MISMATCH', { found })
}

function wrong(problem: string): ContextdError {
  return new ContextdError('USAGE', { problem })
}
