/**
 * What is asked of `ctxd` most often, before anything is loaded: its help, and the value of a key. A bundle of its own that
 * answers where it is sure; everything else, and every mistake, is for the whole program.
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

/** Written when contextd is built, by asking the whole program. */
interface Prepared {
  readonly help: string
  readonly config: JsonObject
}

/** A terminal that has fewer columns gets lines that fit it. */
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

/** Whether a project's file counts is in the store, and not for here. */
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
  // What could steer a terminal is escaped in one way for people and in another for programs.
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
  const besides = './ctxd.js'
  void import(besides)
}

/** False where not a byte of it could be written: the whole program knows what to say then. */
function print(whole: string): boolean {
  try {
    writeSync(1, whole)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPIPE'
  }
}
