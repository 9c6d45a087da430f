import { resolve } from 'node:path'

import { createScrubber } from '../engine/scrubber.ts'
import type { OpenOptions, OpenedScrubber } from './host.ts'

/** A scrubber with the built-in rules and those of the named file. Without a configuration, no file can suppress findings. */
export async function openBuiltinScrubber({ cwd, rulesFile, decode }: OpenOptions): Promise<OpenedScrubber> {
  const rules = rulesFile === undefined ? undefined : await readRules(resolve(cwd, rulesFile))
  const scrubber = createScrubber({
    ...(decode !== undefined && { decode }),
    ...(rules !== undefined && { ownRules: rules.find }),
  })
  return { scrubber, warnings: rules?.warnings ?? [], ...(rules !== undefined && { rules }) }
}

/** The parser for patterns is large, and most runs need none. */
async function readRules(file: string): Promise<NonNullable<OpenedScrubber['rules']>> {
  const { readRulesFile } = await import('../gitleaks/rules-file.ts')
  const { readUserRules } = await import('../gitleaks/user-rules.ts')
  return readUserRules([readRulesFile(file, false)])
}
