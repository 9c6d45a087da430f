/** For the launchers of the Claude Code plugin, which ships no packages: what the store needs, before anything opens it. */

import { join } from 'node:path'

import { CodedError, errorText } from '../core/errors/errors.ts'
import { resolvePaths } from '../platform/files/paths.ts'
import { provideDriver } from '../platform/storage/install-driver.ts'

/** Answers what to tell the person where there can be no store. */
export async function providePluginStorage(shipped: string, env = process.env): Promise<string | undefined> {
  const { state } = resolvePaths(env)
  try {
    await provideDriver({ shipped, data: env.CLAUDE_PLUGIN_DATA || join(state, 'plugin'), state })
    return undefined
  } catch (error) {
    if (error instanceof CodedError) return errorText(error.toObject())
    return `contextd could not prepare its store: ${error instanceof Error ? error.message : 'unknown'}`
  }
}
