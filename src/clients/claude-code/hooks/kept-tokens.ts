/**
 * A token that reaches one of the client's own tools was not restored on the way. Written to a file or run in a
 * command, it would replace the secret, and the tool would report success.
 */

import { createFileTokens, hintUnclear } from '../../../core/tokens/file-tokens.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { listTokens, tokensIn, tokensInShell } from '../../../core/tokens/secret-forms.ts'
import { createFileReader } from '../../../platform/files/written-file.ts'
import type { HookPayload, HookPorts } from './hook.ts'
import { writesFiles } from './protected-writes.ts'
import { shellTexts, writtenPaths } from './tool-input.ts'

/** Why this tool call is refused: it would use an issued token instead of the secret. Undefined if it would not. */
export async function whyTokenStops(
  { cwd }: HookPayload,
  tool: string,
  input: JsonObject,
  ports: HookPorts,
): Promise<string | undefined> {
  const inShell = tokensInShell(shellTexts(input))
  const paths = writesFiles(tool) ? writtenPaths(tool, input, ports.env) : []
  const inFile = paths.length > 0 ? tokensIn(input) : new Set<string>()
  // Without tokens, nothing needs to be looked up.
  if (inShell.size === 0 && inFile.size === 0) return undefined
  const issued = (await ports.session()).valuesOf([...inShell, ...inFile])
  const run = [...inShell].filter((token) => issued.has(token))
  if (run.length > 0) return describeCommand(run)
  const written = [...inFile].filter((token) => issued.has(token))
  const read = createFileReader(cwd)
  const contents = await Promise.all(paths.map(read))
  const files = contents.flatMap((content) =>
    content === undefined ? [] : [createFileTokens(content, issued)],
  )
  const meanings = writtenTexts(input).flatMap(({ text, replaced }) =>
    files.flatMap((file) =>
      Array.from(file.meanings(text, replaced), ([at, { kind }]) => ({ token: tokenAt(text, at), kind })),
    ),
  )
  const meant = (kind: 'secret' | 'unclear'): string[] =>
    meanings.flatMap((one) => (one.kind === kind ? [one.token] : []))
  if (meant('secret').length > 0) return describeOverwrite(meant('secret'))
  if (meant('unclear').length > 0) return hintUnclear(listTokens(meant('unclear')))
  // If the file already contains these characters, they are text and not a token.
  const appearing = written.filter((token) => !files.some((file) => file.hasLiteral(token)))
  return appearing.length > 0 ? describeNew(appearing) : undefined
}

const tokenAt = (text: string, at: number): string => text.slice(at, text.indexOf(']', at) + 1)

/** Every text in the input with the text it replaces: `old_string` and `new_string`, also under other suffixes. */
function writtenTexts(input: Json): { text: string; replaced?: string }[] {
  if (typeof input === 'string') return [{ text: input }]
  if (Array.isArray(input)) return input.flatMap(writtenTexts)
  if (!isJsonObject(input)) return []
  return Object.entries(input).flatMap(([name, value]) => {
    const ending = /^(?:old|new)(.*)$/.exec(name)?.[1]
    const replaced = ending === undefined ? undefined : input[`old${ending}`]
    // An input that replaces nothing writes the whole file.
    return typeof value === 'string' && typeof replaced === 'string' && replaced !== ''
      ? [{ text: value, replaced }]
      : writtenTexts(value)
  })
}

const door =
  "Or ask the user to turn on the model door with `ctxd init`: then the client's tools get the secret back in files that contain it."

function describeCommand(tokens: readonly string[]): string {
  return `${listTokens(tokens)} represents a secret, and the command would run with these characters in its place. Files contain the secret itself: to change one, use the tool safe_edit of contextd, which restores it there; to find its place, search for the text around it. In a commit message or comment, say in words what is meant.`
}

function describeOverwrite(tokens: readonly string[]): string {
  return `The file contains the secret that ${listTokens(tokens)} represents, and the token would overwrite it. Use the tool safe_edit of contextd, which restores it there. ${door}`
}

function describeNew(tokens: readonly string[]): string {
  return `${listTokens(tokens)} represents a secret that is not in this file, and these characters would be written in its place. Write the rest without it, and tell the user which value is missing.`
}
