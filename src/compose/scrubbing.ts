/** Scrubbing of secrets and private context, and a log that contains neither. */

import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import { createLog, type Log } from '../platform/log.ts'
import { createNews } from '../stages/scrub/checks/news.ts'
import { briefHere, openChecks, type OpenChecks } from '../stages/scrub/checks/open-checks.ts'
import { loadUserRules, type LoadedRules } from '../stages/scrub/load-user-rules.ts'
import { rulesFor } from '../stages/scrub/open-scrubber.ts'
import {
  createPrivateContexts,
  type PrivateContexts,
} from '../stages/scrub/private-context/private-contexts.ts'
import { createSecretRegistry, type SecretRegistry } from '../stages/scrub/registry.ts'
import { createScrubEngine, type Scrubber } from '@contextd/scrub/internal/engine'
import type { RuntimeSetup } from './setup.ts'

export interface Scrubbing {
  readonly secrets: SecretRegistry
  readonly scrubber: Scrubber
  readonly privacy: PrivateContexts
  /** For complete values, which may be large. */
  readonly checks: OpenChecks
  /** For text that does not pass the scrub stage: refusals, progress, lists. */
  readonly scrub: (text: string, session: string, key?: string) => string
  /** For text that leaves outside of any session. */
  readonly scrubForLog: (text: string, key?: string) => string
  readonly log: Log
}

const dayMs = 86_400_000

/** `givenLog` replaces our own log if the caller provides one. */
export async function openScrubbing(setup: RuntimeSetup, givenLog: Log | undefined): Promise<Scrubbing> {
  const { config, paths, project, store, tenant, clock, trust } = setup
  const own = await loadUserRules({
    userFile: config.scrub.rules_file,
    configFolder: paths.config,
    allowlists: config.scrub.allowlists,
    project,
    isTrusted: trust.isTrusted,
  })
  const keeping = { store, tenant, keysDir: paths.keys, clock }
  const secrets = createSecretRegistry({
    ...keeping,
    keepMs: config.scrub.forget_after_days * dayMs,
    report: (...line) => log(...line),
    passing: ['log', 'door'],
  })
  const deadlineMs = config.scrub.deadline_ms
  const news = createNews()
  const engine = createScrubEngine({
    deadlineMs,
    ...rulesFor(own),
    tokens: secrets,
    onKnown: news.add,
    ...briefHere,
  })
  const privacy = createPrivateContexts(keeping)
  const sources = own.sources ?? []
  const checks = openChecks({ engine, news, tokens: secrets, privacy, sources, deadlineMs })
  const scrub: Scrubbing['scrub'] = (text, session, key) => engine.scrub(text, { tenant, session }, key).text
  const scrubForLog: Scrubbing['scrubForLog'] = (text, key) => scrub(text, 'log', key)
  const log =
    givenLog === undefined
      ? createLog({ level: config.log.level, scrub: scrubForLog })
      : scrubbedLog(givenLog, scrubForLog)
  reportFiles(setup, own, log)
  return { secrets, scrubber: engine, privacy, checks, scrub, scrubForLog, log }
}

/** The configuration determines the log level, so it is read before the log exists. */
function reportFiles({ ignoredConfig }: RuntimeSetup, { ignored, warnings }: LoadedRules, log: Log): void {
  if (ignoredConfig !== undefined)
    log('warn', `the project configuration ${ignoredConfig.why}`, { file: ignoredConfig.file, ignored: true })
  if (ignored !== undefined)
    log('info', `the secret rules of the project: ${ignored.why}`, { file: ignored.file })
  for (const warning of warnings) log('warn', warning)
}

/** Scrubs messages for a log that replaces ours, so that it receives no more than ours would write. */
function scrubbedLog(log: Log, scrub: (text: string, key?: string) => string): Log {
  return (severity, message, fields = {}) => {
    const given = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined)
    log(severity, scrub(message), mapStrings(Object.fromEntries(given), scrub) as JsonObject)
  }
}
