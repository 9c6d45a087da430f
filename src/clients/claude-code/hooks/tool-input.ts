/** Finds commands and paths in the arguments of any tool. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** Names of arguments with a program, and of those with a path, also in tools of other servers. */
const shellNames = /^(?:\w*[_-])?(?:command|cmd|shell|script|code|args|argv)s?(?:[_-]?line)?$/i
const pathNames =
  /(?:^|_)(?:path|file|filename|dir|directory|folder|root|cwd|uri)s?$|(?:Path|File|Dir|Uri)s?$/
/** For tools that write. */
const targetNames = /^(?:destination|target|to)$/i

export function shellTexts(input: JsonObject): string[] {
  return fieldsOf(input).flatMap(([name, text]) => (shellNames.test(name) ? [text] : []))
}

type Env = Readonly<Record<string, string | undefined>>

/** The values of arguments with path-like names. */
export function namedPaths(input: JsonObject, env: Env): string[] {
  return fieldsOf(input).flatMap(([name, text]) => (pathNames.test(name) ? [asPath(text, env)] : []))
}

/** The paths that a tool may write. */
export function writtenPaths(tool: string, input: JsonObject, env: Env): string[] {
  const targets = fieldsOf(input).flatMap(([name, text]) =>
    targetNames.test(name) ? [asPath(text, env)] : [],
  )
  return [...namedPaths(input, env), ...targets, ...pathsAnywhere(tool, input, env)]
}

/** Other servers may use any argument name for a path. */
export function pathsAnywhere(tool: string, input: JsonObject, env: Env): string[] {
  if (!tool.startsWith('mcp__')) return []
  return fieldsOf(input).flatMap(([, text]) => (isPathLike(text) ? [asPath(text, env)] : []))
}

export function asPath(text: string, { HOME: home = '~' }: Env): string {
  return text
    .trim()
    .replace(/^file:\/\/(?:localhost)?(\/.*)$/is, (_, path: string) => decoded(path))
    .replace(/^~(?=\/|$)/, home)
}

/** Every text with its key, at any depth. */
function fieldsOf(value: Json, name = ''): [string, string][] {
  if (typeof value === 'string') return [[name, value]]
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, name))
  return isJsonObject(value) ? Object.entries(value).flatMap(([inner, item]) => fieldsOf(item, inner)) : []
}

const maxPathLength = 4096
function isPathLike(text: string): boolean {
  return (
    text.length <= maxPathLength && /^(?:[/~]|\.{1,2}\/|file:)/i.test(text.trim()) && !text.includes('\n')
  )
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function inputTexts(value: Json): string[] {
  return fieldsOf(value).map(([, text]) => text)
}
