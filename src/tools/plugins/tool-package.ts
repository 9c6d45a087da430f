/** Reads a folder below `.contextd/tools/` as a tool: TOOL.md, schema.json, capabilities.toml and the executable. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { parseJson } from '@contextd/shared/json/json-source'
import { visibleText } from '@contextd/shared/text/visible-text'
import { MANIFEST, parseManifest, type ParseResult, type ToolManifest } from './manifest.ts'
import type { PackageFile, PackageFiles } from './package-files.ts'

export interface ToolPackage {
  readonly name: string
  readonly manifest: ToolManifest
  /** The text the agent reads. */
  readonly description: string
  readonly inputSchema: JsonObject
  /** The file to run, relative to the package. */
  readonly executable: string
  readonly files: PackageFiles
}

export const DESCRIPTION = 'TOOL.md'
export const SCHEMA = 'schema.json'

/** Every model that sees the tool pays for its description in every session. */
const fewerTokensThan = 100
const maxSchemaLength = 32_768

/** The package, or all its problems. Whether the schema is valid is checked by `compileSchema`. */
export function readToolPackage(
  name: string,
  read: PackageFiles,
  count: CountTokens,
): ParseResult<ToolPackage> {
  const problems = [...read.problems]
  const find = (path: string): PackageFile | undefined => read.files.find((file) => file.path === path)
  const take = <T>(path: string, parse: (bytes: Buffer) => ParseResult<T>): T | undefined => {
    const file = find(path)
    const parsed = file === undefined ? fault<T>(`${path}: is missing`) : parse(file.bytes)
    if (parsed.ok) return parsed.value
    problems.push(...parsed.problems)
    return undefined
  }

  const description = take(DESCRIPTION, (bytes) => readDescription(bytes, count))
  const inputSchema = take(SCHEMA, readInputSchema)
  const manifest = take(MANIFEST, parseManifest)
  if (manifest !== undefined && manifest.name !== name) {
    problems.push(`${MANIFEST}: component.name: must be the name of the folder`)
  }
  const executable = findExecutable(read.files, manifest?.executable)
  if (!executable.ok) problems.push(...executable.problems)

  const isComplete = description !== undefined && inputSchema !== undefined && manifest !== undefined
  if (problems.length > 0 || !isComplete || !executable.ok) return { ok: false, problems }
  return {
    ok: true,
    value: { name, manifest, description, inputSchema, executable: executable.value, files: read },
  }
}

function fault<T>(problem: string): ParseResult<T> {
  return { ok: false, problems: [problem] }
}

function readDescription(bytes: Buffer, count: CountTokens): ParseResult<string> {
  const text = decode(bytes)?.trim()
  if (text === undefined) return fault(`${DESCRIPTION}: is not UTF-8 text`)
  if (text === '') return fault(`${DESCRIPTION}: is empty; say in a sentence or two what the tool is for`)
  if (hidesSomething(text)) return fault(`${DESCRIPTION}: ${hidden}`)
  const tokens = count(text)
  if (tokens < fewerTokensThan) return { ok: true, value: text }
  return fault(`${DESCRIPTION}: has ${tokens} tokens; it must have fewer than ${fewerTokensThan}`)
}

function readInputSchema(bytes: Buffer): ParseResult<JsonObject> {
  const at = (place: { line: number; column: number }, message: string): ParseResult<JsonObject> =>
    fault(`${SCHEMA}:${place.line}:${place.column}: ${message}`)
  const text = decode(bytes)
  if (text === undefined) return fault(`${SCHEMA}: is not UTF-8 text`)
  if (bytes.length > maxSchemaLength) return fault(`${SCHEMA}: is larger than ${maxSchemaLength / 1024} KB`)
  if (hidesSomething(text)) return fault(`${SCHEMA}: ${hidden}`)
  const document = parseJson(text)
  if (!document.ok) return at(document, document.message)
  const { value, locate } = document
  const start = { line: 1, column: 1 }
  if (!isJsonObject(value)) return at(start, 'expected an object: the JSON Schema of the input')
  if (value.type !== 'object')
    return at(locate(['type']) ?? start, 'expected "type": "object", for the input is one')
  const { $schema: _, ...schema } = value
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  if (Object.hasOwn(properties, 'agent_id')) {
    const place = locate(['properties', 'agent_id'], 'key') ?? start
    return at(place, 'agent_id says who calls, and no tool gets to see it: choose another name')
  }
  return { ok: true, value: schema }
}

const hidden = 'contains invisible characters, which could carry hidden instructions to the agent'

/** Whether the text contains invisible characters other than line breaks and tabs. */
function hidesSomething(text: string): boolean {
  const plain = text.replace(/^\uFEFF/, '').replace(/[\r\n\t]/g, '')
  return visibleText(plain) !== plain
}

/** The named one; otherwise `run` or `run.*`; otherwise the only executable file. */
function findExecutable(files: readonly PackageFile[], named: string | undefined): ParseResult<string> {
  const runnable = files.filter(({ executable }) => executable)
  const usual = files.filter(({ path }) => /^run(?:\.[^/.]+)?$/.test(path))
  const choice =
    named === undefined ? (usual.length > 0 ? usual : runnable) : files.filter(({ path }) => path === named)
  const [file, other] = choice
  if (file === undefined) {
    return fault(
      named === undefined
        ? 'no executable found: create one named run, or set executable under [component]'
        : `${MANIFEST}: component.executable: no such file in the package`,
    )
  }
  if (other !== undefined)
    return fault(
      `${file.path} and ${other.path} could both be meant: name one as executable under [component]`,
    )
  if (!file.executable) return fault(`${file.path}: is not executable; run \`chmod +x\` on it`)
  return isProgram(file.bytes)
    ? { ok: true, value: file.path }
    : fault(`${file.path}: is neither a binary nor a script with a "#!" line`)
}

/** A script with a shebang, or an executable the kernel runs itself. */
function isProgram(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).toString() === '#!' || bytes.subarray(0, 4).toString('latin1') === '\u007FELF'
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
