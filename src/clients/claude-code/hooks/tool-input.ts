/** What the arguments of a tool say about commands and paths, whatever tool it is. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** Names of arguments that hold a program, and of those that hold a path; in tools of other servers too. */
const shellNames = /^(?:\w*[_-])?(?:command|cmd|shell|script|code|args|argv)s?(?:[_-]?line)?$/i
const pathNames =
  /(?:^|_)(?:path|file|filename|dir|directory|folder|root|cwd|uri)s?$|(?:Path|File|Dir|Uri)s?$/
/** Of tools that write. */
const targetNames = /^(?:destination|target|to)$/i

export function shellTexts(input: JsonObject): string[] {
  return fieldsOf(input).flatMap(([name, text]) => (shellNames.test(name) ? [text] : []))
}

type Env = Readonly<Record<string, string | undefined>>

/** The values of arguments that are named like a path. */
export function namedPaths(input: JsonObject, env: Env): string[] {
  return fieldsOf(input).flatMap(([name, text]) => (pathNames.test(name) ? [asPath(text, env)] : []))
}

/** What a tool that writes may write to. */
export function writtenPaths(tool: string, input: JsonObject, env: Env): string[] {
  const targets = fieldsOf(input).flatMap(([name, text]) =>
    targetNames.test(name) ? [asPath(text, env)] : [],
  )
  return [...namedPaths(input, env), ...targets, ...pathsAnywhere(tool, input, env)]
}

/** Another server may call a path anything. */
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

/** Every text with the name it has, however deep it is. */
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
