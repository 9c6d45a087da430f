import { resolve } from 'node:path'

import { createScrubber } from '../engine/scrubber.ts'
import type { OpenOptions, OpenedScrubber } from './host.ts'

/**
 * Opens a scrubber with the built-in rules and those of the given file. Without a configuration, no file can suppress
 * findings.
 */
export async function openBuiltinScrubber({ cwd, rulesFile, decode }: OpenOptions): Promise<OpenedScrubber> {
  const rules = rulesFile === undefined ? undefined : await readRules(resolve(cwd, rulesFile))
  const scrubber = createScrubber({
    ...(decode !== undefined && { decode }),
    ...(rules !== undefined && { ownRules: rules.find }),
  })
  return { scrubber, warnings: rules?.warnings ?? [], ...(rules !== undefined && { rules }) }
}

/** The regex engine is large, and most runs do not need it. */
async function readRules(file: string): Promise<NonNullable<OpenedScrubber['rules']>> {
  const { readRulesFile } = await import('../gitleaks/rules-file.ts')
  const { readUserRules } = await import('../gitleaks/user-rules.ts')
  return readUserRules([readRulesFile(file, false)])
}
