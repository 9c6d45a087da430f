import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { onTestFinished } from 'vitest'

import { bundleSources } from '../../scripts/bundle-sources.mjs'
import type { PrivateContext } from '../../src/core/ports.ts'
import { createNews } from '../../src/stages/scrub/checks/news.ts'
import { briefHere, openChecks } from '../../src/stages/scrub/checks/open-checks.ts'
import { rulesFrom, type UserRulesSource } from '../../src/stages/scrub/load-user-rules.ts'
import { maskPrivate } from '../../src/stages/scrub/private-context/mask.ts'
import { matcherOf, type PrivateSnapshot } from '../../src/stages/scrub/private-context/private-contexts.ts'
import { createScrubEngine } from '@contextd/scrub/internal/engine'
import { createSessionTokens } from '@contextd/scrub/internal/session-tokens'

const cache = fileURLToPath(new URL('../../node_modules/.cache/contextd', import.meta.url))
let bundled: Promise<string> | undefined

/** The worker program, built from the current sources. */
export function workerProgram(): Promise<string> {
  return (bundled ??= bundleWorker())
}

async function bundleWorker(): Promise<string> {
  const outfile = join(cache, `scrub-worker-${process.pid}.mjs`)
  const source = fileURLToPath(new URL('../../src/stages/scrub/checks/scrub-worker.ts', import.meta.url))
  await bundleSources(source, outfile)
  return outfile
}

/** The same, but stuck in an endless loop for texts that contain the word. */
export async function spinningProgram(word: string): Promise<string> {
  const real = await workerProgram()
  mkdirSync(cache, { recursive: true })
  const file = join(cache, `spinning-worker-${process.pid}.mjs`)
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (message) => {
      if (!JSON.stringify(message.check).includes(${JSON.stringify(word)})) return
      parentPort.postMessage({ prepared: true })
      for (;;);
    })
    await import(${JSON.stringify(real)})\n`,
  )
  return file
}

export interface CheckSetting {
  readonly program?: string
  readonly deadlineMs?: number
  readonly sources?: readonly UserRulesSource[]
  readonly held?: PrivateSnapshot['held']
}

/** Checks with real workers, and the scrubber that they share their state with. */
export async function temporaryChecks({
  deadlineMs = 120_000,
  sources = [],
  held = [],
  ...given
}: CheckSetting = {}) {
  const program = given.program ?? (await workerProgram())
  const tokens = createSessionTokens()
  const news = createNews()
  const rules = await rulesFrom(sources)
  const engine = createScrubEngine({
    deadlineMs,
    tokens,
    onKnown: news.add,
    maxNew: briefHere.maxNew,
    ...(rules !== undefined && { ownRules: rules.find }),
    ...(rules?.unmask !== undefined && { unmask: rules.unmask }),
  })
  const matcher = matcherOf(held)
  const mask: PrivateContext['mask'] = (text, _, reader) => maskPrivate(text, matcher, reader)
  const snapshot = () => (held.length === 0 ? undefined : { version: 1, held })
  const privacy = { mask, snapshot, holders: () => held.map(({ holder }) => holder) }
  const checks = openChecks({ engine, news, tokens, privacy, sources, deadlineMs, program })
  onTestFinished(() => checks.close())
  return { ...checks, engine, news, tokens, privacy }
}
