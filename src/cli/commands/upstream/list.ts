import { errorCatalogue } from '../../../core/errors.ts'
import { formatProblem } from '../../../platform/config/json-problem.ts'
import { resolvePaths } from '../../../platform/paths.ts'
import type { Records } from '../../../compose.ts'
import {
  discoverServers,
  projectVariable,
  surveyServers,
  type ServersSurvey,
  type SurveyedServer,
} from '../../../compose/server-files.ts'
import { note, printJson, printLine, printTable, type CliIo, type JsonOption } from '../../ui/output.ts'
import { withRecords } from '../../with-runtime.ts'

export function listServers({ json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, (records) => {
    const { servers, files, warnings, problems } = survey(records, io)
    if (problems.length > 0) io.setExitCode(errorCatalogue.SERVERS_INVALID.exit)
    if (json) return printJson({ servers: servers.map(toJson), files, warnings, problems }, io)
    if (servers.length > 0) {
      const rows = servers.map(({ server, state, why }) => [
        server.name,
        server.way.kind,
        state === 'incomplete' ? (why ?? state) : state,
        `${server.file}:${server.line}`,
      ])
      printTable(['SERVER', 'TRANSPORT', 'STATE', 'FROM'], rows, io)
    } else if (problems.length === 0) {
      printLine('There are no servers. `ctxd upstream add` names one, `ctxd upstream import` finds some.', io)
    }
    for (const problem of problems) note(formatProblem(problem), io)
    for (const warning of warnings) note(warning, io)
    for (const { server, state, why } of servers) {
      if (state === 'passed over') note(`${server.name} of ${server.file}: ${why}`, io)
    }
    for (const { path, state } of files) {
      if (state === 'not trusted') note(`${path} has no effect until you read it and run \`ctxd trust\``, io)
    }
  })
}

/** What the files name, as things are now; nothing is started. */
export function survey({ trust, secrets }: Records, io: CliIo): ServersSurvey {
  const known = new Set(secrets.list().flatMap(({ kind, rule }) => (kind === 'set' ? [rule] : [])))
  return surveyServers(discoverServers(io.env, resolvePaths(io.env), io.cwd), trust.isTrusted, {
    env: { ...io.env, [projectVariable]: io.cwd },
    // Whether there is one is all that a list tells.
    secret: (name) => (known.has(`set:${name}`) ? '' : undefined),
  })
}

function toJson({ server, state, why }: SurveyedServer): object {
  const { name, description, way, role, file, line, protocol, stateless } = server
  return {
    name,
    ...(description !== undefined && { description }),
    transport: way.kind,
    state,
    ...(why !== undefined && { why }),
    role,
    file,
    line,
    protocol,
    stateless,
    sandbox: way.kind === 'stdio' && way.sandbox !== undefined,
  }
}
