/** Loads the files that list known findings: a baseline, and the ignore files of a repository. */

import { lstatSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'

import { CommonError, missingThing } from '@contextd/shared/errors/common-error'
import { readIgnoreFile, type IgnoredFindings } from '../../gitleaks/ignore-file.ts'
import { readBaseline, type Baseline } from './baseline.ts'
import { systemErrorCode } from '@contextd/shared/files/error-code'
import { openFile } from '@contextd/shared/files/open-file'

export function loadBaseline(file: string): Baseline {
  const invalid = (why: string): CommonError =>
    new CommonError('CONFIG_INVALID', {
      problem: `${file}: ${why}`,
      file,
      hint: 'Use a report made with --format json or sarif, or a JSON report of gitleaks.',
    })
  let bytes: Buffer
  try {
    const open = openFile(realpathSync(file))
    if (open === undefined) throw invalid('is not a regular file')
    try {
      bytes = open.read(0, open.size)
    } finally {
      open.close()
    }
  } catch (error) {
    if (error instanceof CommonError) throw error
    if (systemErrorCode(error) === 'ENOENT')
      throw new CommonError('NOT_FOUND', { ...missingThing('baseline', file), file })
    throw invalid(`cannot be opened (${systemErrorCode(error)})`)
  }
  const baseline = readBaseline(bytes.toString('utf8'))
  if (baseline === undefined) throw invalid('is not a report of findings')
  return baseline
}

export function loadIgnored(
  folder: string,
  root: string,
  warnings: [message: string, file: string][],
): IgnoredFindings[] {
  const path = join(folder, '.gitleaksignore')
  const name = relative(root, path)
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return []
  try {
    const file = openFile(path)
    if (file === undefined) throw Object.assign(new Error('no file'), { code: 'not a regular file' })
    try {
      const { ignored, problems } = readIgnoreFile(file.read(0, file.size).toString('utf8'))
      for (const { line, message } of problems) warnings.push([`line ${line}: ${message}`, name])
      return [ignored]
    } finally {
      file.close()
    }
  } catch (error) {
    warnings.push([`cannot be read (${systemErrorCode(error)}), and is ignored`, name])
    return []
  }
}
