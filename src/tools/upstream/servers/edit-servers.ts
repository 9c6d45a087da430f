/** Adds and removes one server of a servers file, and leaves every other byte as it was. */

import { ContextdError } from '../../../core/errors.ts'
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { formatJsonPath, invalidFile } from '../../../platform/config/json-problem.ts'
import { parseJson } from '../../../platform/config/json-source.ts'
import type { Position } from '../../../platform/config/text-position.ts'
import { checkServers, type ServersFile } from './check-servers.ts'

/**
 * The text with the server. Throws USAGE for an entry that cannot be, and SERVERS_INVALID where something else in the
 * file is wrong: what comes out can always be loaded.
 */
export function addServer(
  text: string | undefined,
  name: string,
  entry: JsonObject,
  file: ServersFile,
): string {
  if (text === undefined) {
    return withEntry(`${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`, name, file)
  }
  const { servers, members } = readMembers(checked(text, file))
  if (members.some((member) => member.name === name)) {
    throw new ContextdError('USAGE', {
      problem: `there is a server ${name} already`,
      hint: `Run \`ctxd upstream remove ${name}\` first, or choose another name.`,
    })
  }
  const last = members.at(-1)
  const eol = /\r?\n/.exec(text)?.[0]
  const unit = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  const write = (indent: string): string => {
    const value = JSON.stringify(entry, null, unit).replaceAll('\n', `${eol}${indent}`)
    return `${JSON.stringify(name)}: ${value}`
  }
  const onOneLine = `${JSON.stringify(name)}: ${JSON.stringify(entry)}`
  if (last === undefined) {
    const outer = eol === undefined ? '' : lineIndent(text, servers.start)
    const put = eol === undefined ? onOneLine : `${eol}${outer}${unit}${write(outer + unit)}${eol}${outer}`
    return withEntry(`${text.slice(0, servers.start)}{${put}}${text.slice(servers.end)}`, name, file)
  }
  const begins = /^[ \t]*$/.test(text.slice(lineStart(text, last.start), last.start))
  const indent = lineIndent(text, last.start)
  const put = eol !== undefined && begins ? `,${eol}${indent}${write(indent)}` : `, ${onOneLine}`
  return withEntry(text.slice(0, last.end) + put + text.slice(last.end), name, file)
}

/** Before it came there was nothing wrong with the file: the places in it are not there yet. */
function withEntry(text: string, name: string, file: ServersFile): string {
  const { problems } = checkServers(Buffer.from(text), file)
  if (problems.length === 0) return text
  const entry = formatJsonPath(['mcpServers', name])
  const said = problems.map(({ path, message }) => {
    const key = path.startsWith(`${entry}.`) ? path.slice(entry.length + 1) : ''
    return key === '' ? message : `${key}: ${message}`
  })
  throw new ContextdError('USAGE', { problem: `${name}: ${said.join('; ')}` })
}

/** The text without the server; undefined where it has none of that name. */
export function removeServer(text: string, name: string, file: ServersFile): string | undefined {
  const { servers, members } = readMembers(checked(text, file))
  const index = members.findIndex((member) => member.name === name)
  const [own, before, after] = [members[index], members[index - 1], members[index + 1]]
  if (own === undefined) return undefined
  const [from, to] =
    after !== undefined
      ? [own.start, after.start]
      : before !== undefined
        ? [before.end, own.end]
        : [servers.start + 1, servers.end - 1]
  return checked(text.slice(0, from) + text.slice(to), file)
}

function checked(text: string, file: ServersFile): string {
  const { problems } = checkServers(Buffer.from(text), file)
  if (problems.length > 0) throw invalidFile('SERVERS_INVALID', problems)
  return text
}

interface Member {
  readonly name: string
  /** From its key to the end of its value. */
  readonly start: number
  readonly end: number
}

/** Where `mcpServers` and each server stand in a text that is valid, in the order of the text. */
function readMembers(text: string): { servers: { start: number; end: number }; members: Member[] } {
  const source = parseJson(text)
  const value = source.ok && isJsonObject(source.value) ? source.value.mcpServers : undefined
  if (!source.ok || !isJsonObject(value)) throw new Error('the text was not checked')
  // The parser does not count a byte order mark.
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const offset = (position: Position | undefined): number => {
    let start = 0
    for (let line = 1; line < (position?.line ?? 1); line++) start = text.indexOf('\n', start) + 1
    return start + (position?.column ?? 1) - 1 + (position?.line === 1 ? shift : 0)
  }
  const start = offset(source.locate(['mcpServers']))
  const members = Object.keys(value).map((name) => ({
    name,
    start: offset(source.locate(['mcpServers', name], 'key')),
    end: endOfObject(text, offset(source.locate(['mcpServers', name]))),
  }))
  // An object gives names that look like numbers first, wherever they stand.
  members.sort((one, other) => one.start - other.start)
  return { servers: { start, end: endOfObject(text, start) }, members }
}

const stringOrBrace = /"(?:[^"\\]|\\.)*"|[{}]/g

function endOfObject(text: string, start: number): number {
  let depth = 0
  for (const { 0: found, index } of text.slice(start).matchAll(stringOrBrace)) {
    if (found === '{') depth++
    if (found === '}' && --depth === 0) return start + index + 1
  }
  return text.length
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ''
}
