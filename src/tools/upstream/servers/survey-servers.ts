import { fileProblem, type JsonProblem } from '../../../platform/config/json-problem.ts'
import { readSmallFile } from '@contextd/shared/files/small-file'
import type { FileRole, IsTrusted } from '../../../platform/files/watched-files.ts'
import type { UpstreamServer } from '../server.ts'
import { checkServers, type ServerEntry } from './check-servers.ts'
import { serversFiles, missingFile, type ServersLocations } from './discover-servers.ts'
import { mergeServers } from './merge-servers.ts'
import { missingIn, type VariableSources } from './variables.ts'

export type ServerState = 'ok' | 'incomplete' | 'disabled' | 'not trusted' | 'passed over'

export interface SurveyedServer {
  readonly server: UpstreamServer
  readonly state: ServerState
  /** Why it is not usable. */
  readonly why?: string
}

export interface ServersSurvey {
  readonly servers: readonly SurveyedServer[]
  readonly files: readonly {
    readonly path: string
    readonly role: FileRole
    readonly state: 'ok' | 'invalid' | 'not trusted'
  }[]
  readonly warnings: readonly string[]
  readonly problems: readonly JsonProblem[]
}

/** All declared servers, usable or not, for display. */
export function surveyServers(
  locations: ServersLocations,
  isTrusted: IsTrusted,
  sources: VariableSources,
): ServersSurvey {
  const files: ServersSurvey['files'][number][] = []
  const trusted: ServerEntry[] = []
  const untrusted: ServerEntry[] = []
  const warnings: string[] = []
  const problems: JsonProblem[] = []
  for (const file of serversFiles(locations)) {
    const read = readSmallFile(file.path)
    if (read.kind === 'missing') {
      if (file.role === 'user' && locations.userIsNamed) problems.push(missingFile(file.path))
      continue
    }
    const applies = file.role === 'user' || (read.kind === 'bytes' && isTrusted(file.path, read.bytes))
    const checked =
      read.kind === 'bytes'
        ? checkServers(read.bytes, file)
        : { entries: [], warnings: [], problems: [fileProblem(file.path, read.why)] }
    if (!applies) {
      // Problems in untrusted files are not reported.
      untrusted.push(...checked.entries)
      files.push({ ...file, state: 'not trusted' })
      continue
    }
    trusted.push(...checked.entries)
    warnings.push(...checked.warnings)
    problems.push(...checked.problems)
    files.push({ ...file, state: checked.problems.length === 0 ? 'ok' : 'invalid' })
  }
  const merged = mergeServers(trusted)
  problems.push(...merged.problems)
  const servers = [
    ...trusted.map(({ server, disabled }): SurveyedServer => {
      const other = merged.overridden.find((each) => each.server === server)
      if (other !== undefined) return { server, state: 'passed over', why: other.why }
      if (disabled) return { server, state: 'disabled' }
      const missing = missingIn(server, sources)
      return missing.length === 0
        ? { server, state: 'ok' }
        : { server, state: 'incomplete', why: missing.join('; ') }
    }),
    ...untrusted.map(({ server }): SurveyedServer => ({ server, state: 'not trusted' })),
  ]
  return { servers, files, warnings, problems }
}
