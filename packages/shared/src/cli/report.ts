/** Report formats, and writing reports to the terminal or a file. */

import { statSync, writeFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'

import { CommonError } from '../errors/common-error.ts'
import { refuseInsideAgent } from '../operator.ts'
import { replaceFile } from '../files/small-file.ts'
import { relativeWithin } from '../files/within.ts'
import type { CliIo, JsonOption } from './output.ts'

export const reportFormats = ['text', 'json', 'sarif'] as const
export type ReportFormat = (typeof reportFormats)[number]

export interface ReportFileOptions extends JsonOption {
  readonly format?: ReportFormat
}

export function reportFormat({ format, json }: ReportFileOptions): ReportFormat {
  if (json && format !== undefined && format !== 'json') {
    throw new CommonError('USAGE', { problem: `--json and --format ${format} exclude each other` })
  }
  return json ? 'json' : (format ?? 'text')
}

/** Writes what `print` prints to a file. Refused in an agent, which could otherwise overwrite any file, such as its rules. */
export function writeReport(file: string, print: (to: CliIo) => void, io: CliIo): void {
  const isToFile = !isStream(file)
  if (isToFile) refuseInsideAgent(io.env)
  let text = ''
  print({ ...io, stdout: { write: (more: string | Uint8Array) => (text += String(more)) } })
  try {
    if (isToFile) replaceFile(file, text)
    else writeFileSync(file, text)
  } catch (error) {
    throw new CommonError('STORE_UNAVAILABLE', {
      cause: `the report could not be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`,
      hint: 'Free space where the report goes, correct the permissions, or name another file.',
    })
  }
}

/** A pipe or a device, such as `/dev/stdout`, is written to and not replaced. */
function isStream(file: string): boolean {
  try {
    const stats = statSync(file)
    return !stats.isFile() && !stats.isDirectory()
  } catch {
    return false
  }
}

/** The path for display: relative if it is inside `cwd`, otherwise unchanged. */
export function displayPath(cwd: string, path: string): string {
  // A relative path here is an environment variable that a client reads like a file.
  return isAbsolute(path) ? (relativeWithin(cwd, path) ?? path) : path
}
