import { ContextdError } from '../../../core/errors/errors.ts'
import { requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { discoverServers } from '../../../tools/upstream/servers/discover-servers.ts'
import { removeServer } from '../../../tools/upstream/servers/edit-servers.ts'
import { nearestKnownName } from '../../support/known-names.ts'
import { note, printJson, printLine, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { readServersText, writeServersText } from './servers-text.ts'

export interface RemoveOptions extends JsonOption {
  readonly project?: true
}

export async function removeUpstream(
  name: string,
  { json, project }: RemoveOptions,
  io: CliIo,
): Promise<void> {
  const files = discoverServers(io.env, resolvePaths(io.env), io.cwd)
  // Other programs use a project's `.mcp.json`: that file is not ours to change.
  const places = project ? files.project.slice(0, 1) : files.user
  const found = places
    .map((path) => readServersText(path, project ? 'project' : 'user'))
    .map((before) => ({
      before,
      text: before.text === undefined ? undefined : removeServer(before.text, name, before),
    }))
    .find(({ text }) => text !== undefined)
  if (found?.text === undefined) {
    const meant = await nearestKnownName('servers', name, io)
    throw new ContextdError('NOT_FOUND', {
      what: `server ${name} in ${places.join(' or ')}`,
      hint:
        meant === undefined
          ? 'Run `ctxd upstream list` to see the file of each server.'
          : `Did you mean ${meant}?`,
    })
  }
  const { before, text } = found
  await requireOperator({ ...io, question: `Remove the server ${name} from ${before.path}` })
  const counts = await withRecords(io, (records) => {
    records.event('upstream-removed', { server: name, file: before.path })
    return writeServersText(before, text, records)
  })
  if (json) printJson({ removed: name, file: before.path, counts }, io)
  else printLine(`Removed: ${name}, from ${before.path}`, io)
  if (!counts) note(`${before.path} is ignored until you review it and run \`ctxd trust\``, io)
}
