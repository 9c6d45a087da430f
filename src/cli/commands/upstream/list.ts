import type { Records } from '../../../compose.ts'
import { surveyFiles } from '../../../compose/survey-files.ts'
import { errorCatalogue } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { formatProblem } from '../../../platform/config/json-problem.ts'
import type { ServersListResponseJson } from '../../../servers/control/gen/contextd/v1/servers_pb.ts'
import { surveyJson } from '../../../servers/control/operations/servers.ts'
import type { ServersSurvey } from '../../../tools/upstream/servers/survey-servers.ts'
import { withControl } from '../../support/control.ts'
import {
  note,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'

export async function listServers({ json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(
    io,
    (api) => api.call('Servers/List', {}),
    () => withRecords(io, (records) => surveyJson(survey(records, io))),
  )
  const { servers = [], files = [], warnings = [], problems = [] } = answered as ServersListResponseJson
  if (problems.length > 0) io.setExitCode(errorCatalogue.SERVERS_INVALID.exit)
  if (json) return printJson(withoutHealth(answered), io)
  if (servers.length > 0) {
    const rows = servers.map(({ name = '', transport = '', state = '', why, file, line }) => [
      name,
      transport,
      state === 'incomplete' ? (why ?? state) : state,
      `${file}:${line}`,
    ])
    printTable(['SERVER', 'TRANSPORT', 'STATE', 'FROM'], rows, io)
  } else if (problems.length === 0) {
    printLine('No servers. Use `ctxd upstream add` or `ctxd upstream import`.', io)
  }
  for (const problem of problems) {
    const { file, line = 1, column = 1, path = '$', message = '' } = problem
    note(formatProblem({ ...(file !== undefined && { file }), line, column, path, message }), io)
  }
  for (const warning of warnings) note(warning, io)
  for (const { name, file, state, why } of servers) {
    if (state === 'passed over') note(`${name} of ${file}: ${why}`, io)
  }
  for (const { path, state } of files) {
    if (state === 'not trusted') note(`${path} is ignored until you review it and run \`ctxd trust\``, io)
  }
}

/** Without health, which only a running daemon knows (`ctxd server status`): the list is the same everywhere. */
function withoutHealth(answered: JsonObject): JsonObject {
  const servers = (answered.servers ?? []) as JsonObject[]
  const without = servers.map((server) =>
    Object.fromEntries(Object.entries(server).filter(([name]) => name !== 'health')),
  )
  return { ...answered, servers: without }
}

export function survey({ store, trust }: Records, io: CliIo): ServersSurvey {
  return surveyFiles({ store, isTrusted: trust.isTrusted }, io)
}
