/**
 * A fast path for the most frequent uses of `ctxd`: `--help`, and reading one configuration value. It is a separate
 * bundle that loads almost nothing; every other command and every error is left to the full program.
 */

import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isatty } from 'node:tty'

import type { JsonObject } from '@contextd/shared/json/value'
import { resolvePaths } from '../platform/files/paths.ts'
import { readSmallFile } from '@contextd/shared/files/small-file'
import { visibleText } from '@contextd/shared/text/visible-text'
import { quickValue } from './quick/config-value.ts'

/** Generated at build time from the output of the full program. */
interface Prepared {
  readonly help: string
  readonly config: JsonObject
}

/** Narrower terminals get wrapped text from the full program. */
const helpWidth = 80

function answer(argv: readonly string[]): string | undefined {
  const [first, second, ...rest] = argv
  if (argv.length === 1 && (first === '--help' || first === '-h')) {
    const fits = !isatty(1) || process.stdout.columns >= helpWidth
    return fits ? prepared().help : undefined
  }
  if (first !== 'config' || second !== 'get' || process.env.CONTEXTD_ADDR) return undefined
  const words = rest.filter((word) => word !== '--json')
  const [key = ''] = words
  if (words.length !== 1 || key.startsWith('-')) return undefined
  return valueText(key, words.length < rest.length)
}

/** Whether a project's file is trusted is recorded in the store, which this path does not open. */
function valueText(key: string, json: boolean): string | undefined {
  if (existsSync(join(process.cwd(), '.contextd', 'config.toml'))) return undefined
  const read = readSmallFile(resolvePaths().configFile)
  if (read.kind === 'unreadable' || (read.kind === 'bytes' && !isUtf8(read.bytes))) return undefined
  const found = quickValue(prepared().config, read.kind === 'bytes' ? read.bytes.toString() : undefined, key)
  if (found === undefined) return undefined
  const { value } = found
  const text = json
    ? JSON.stringify(found, null, 2)
    : typeof value === 'object'
      ? value.join(',')
      : String(value)
  // Control characters are escaped differently on a terminal and in a pipe; the full program handles that.
  const isPlain = text.split('\n').every((line) => visibleText(line) === line)
  return isPlain ? `${text}\n` : undefined
}

function prepared(): Prepared {
  return JSON.parse(readFileSync(join(__dirname, 'ctxd-quick.json'), 'utf8')) as Prepared
}

function tryAnswer(): string | undefined {
  try {
    return answer(process.argv.slice(2))
  } catch {
    return undefined
  }
}

const text = tryAnswer()
if (text !== undefined && print(text)) process.exitCode = 0
else {
  const fullProgram = './ctxd.js'
  void import(fullProgram)
}

/** False if nothing could be written; the full program then reports the error. */
function print(text: string): boolean {
  try {
    writeSync(1, text)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE'
  }
}
