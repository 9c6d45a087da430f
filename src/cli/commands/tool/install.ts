/** `ctxd tool install`, `update` and `remove`. */

import type { Records } from '../../../compose.ts'
import { CodedError, ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import type { Installer, PreparedTool } from '../../../tools/install/installer.ts'
import type { Toolbox } from '../../../tools/plugins/toolbox.ts'
import {
  fail,
  printJson,
  printLine,
  printTable,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { progressLine } from '@contextd/shared/cli/progress'
import { withRecords } from '../../support/with-runtime.ts'
import { describeToolChanges, describeNew, differencesJson, shortRevision } from './prepared.ts'
import { reportJson } from './report.ts'

interface InstallTools {
  readonly toolbox: Toolbox
  readonly installer: Installer
}

/** `clearProgress` removes the progress line before anything is printed or asked. */
async function withInstaller(
  io: CliIo,
  work: (tools: InstallTools & { clearProgress(): void }) => Promise<void>,
): Promise<void> {
  const progress = progressLine(io, 'byte')
  try {
    await withRecords(io, async (records: Records) => {
      const toolbox = await records.toolbox(io.cwd)
      const installer = await records.installer(toolbox, progress.show)
      await work({ toolbox, installer, clearProgress: progress.clear })
    })
  } finally {
    progress.clear()
  }
}

export interface InstallOptions extends JsonOption {
  readonly name?: string
}

export async function install(source: string, { json, name }: InstallOptions, io: CliIo): Promise<void> {
  refuseInsideAgent(io.env)
  await withInstaller(io, async ({ toolbox, installer, clearProgress }) => {
    const prepared = await installer.prepare(source, name)
    try {
      clearProgress()
      await confirm(prepared, toolbox, io)
      if (json) return printJson(await answerOf(prepared, toolbox), io)
      printLine(outcome(prepared), io)
    } finally {
      prepared.discard()
    }
  })
}

export interface UpdateToolOptions extends JsonOption {
  readonly check?: true
}

export async function update(
  name: string | undefined,
  { json, check }: UpdateToolOptions,
  io: CliIo,
): Promise<void> {
  refuseInsideAgent(io.env)
  await withInstaller(io, async ({ toolbox, installer, clearProgress }) => {
    const names = name === undefined ? [...installer.installed().keys()].sort() : [name]
    await askBeforeFollowing(names, installer, io)
    if (check) return checkAll(names, installer, json, io)
    const answers: JsonObject[] = []
    for (const one of names) {
      try {
        const prepared = await installer.prepareUpdate(one)
        try {
          clearProgress()
          await confirm(prepared, toolbox, io)
          if (json) answers.push(await answerOf(prepared, toolbox))
          else printLine(outcome(prepared), io)
        } finally {
          prepared.discard()
        }
      } catch (error) {
        clearProgress()
        // A problem with one tool must not prevent the update of the others.
        if (names.length === 1 || !(error instanceof CodedError) || error.code === 'OPERATOR_REQUIRED')
          throw error
        fail(error, { json: json === true }, io)
      }
    }
    if (json) printJson({ tools: answers }, io)
    else if (names.length === 0) printLine('No installed tools here.', io)
  })
}

/** The lock file decides what we download, so the user is asked if it was not written by us. */
async function askBeforeFollowing(names: readonly string[], installer: Installer, io: CliIo): Promise<void> {
  const lock = installer.installed()
  const known = names.filter((name) => lock.has(name))
  if (known.length === 0 || installer.isListOurs()) return
  await requireOperator({
    ...io,
    details: [
      'The lock file (.contextd/tools.lock.json) was not written on this machine:',
      ...known.map((name) => `  ${name} from ${lock.get(name)!.source}`),
    ],
    question: 'Fetch from these sources',
  })
}

async function checkAll(
  names: readonly string[],
  installer: Installer,
  json: true | undefined,
  io: CliIo,
): Promise<void> {
  const lock = installer.installed()
  const found = []
  for (const name of names) found.push({ name, ...(await installer.check(name)) })
  if (json) {
    const tools = found.map(({ name, revision, isCurrent }) => {
      const { source, revision: installed } = lock.get(name)!
      return { name, source, revision: installed, latest: revision, is_current: isCurrent }
    })
    return printJson({ tools }, io)
  }
  if (found.length === 0) return printLine('No installed tools here.', io)
  const rows = found.map(({ name, revision, isCurrent }) => [
    name,
    shortRevision(lock.get(name)!.revision),
    isCurrent ? 'current' : shortRevision(revision),
  ])
  printTable(['TOOL', 'INSTALLED', 'LATEST'], rows, io)
}

async function confirm(prepared: PreparedTool, { project }: Toolbox, io: CliIo): Promise<void> {
  if (prepared.isSame) return
  const { name, was } = prepared
  await requireOperator({
    ...io,
    details: was === undefined ? describeNew(prepared, project) : describeToolChanges(prepared, was),
    question:
      was === undefined
        ? `Install ${name} and let agents call it`
        : `Replace ${name} and let agents call the new version`,
  })
  prepared.confirm()
}

function outcome({ name, isSame, was, revision }: PreparedTool): string {
  const is = `${name} (${shortRevision(revision)})`
  if (isSame) return `Unchanged: ${is}`
  return was === undefined ? `Installed: ${is}` : `Updated: ${is}`
}

async function answerOf(prepared: PreparedTool, toolbox: Toolbox): Promise<JsonObject> {
  const { name, source, revision, was, isSame } = prepared
  return {
    ...reportJson(await toolbox.show(name)),
    source,
    revision,
    ...(was !== undefined && { previous_revision: was.revision }),
    is_changed: !isSame,
    differences: differencesJson(prepared),
  }
}

/** For a tool created here, only the approval is revoked: its files are the user's own. */
export async function removeTool(name: string, { json }: JsonOption, io: CliIo): Promise<void> {
  await withInstaller(io, async ({ toolbox, installer }) => {
    if (!installer.installed().has(name)) return removeApproval(name, toolbox, json, io)
    const { was, files, isEdited, confirm: carryOut } = installer.prepareRemoval(name)
    await requireOperator({
      ...io,
      details: [
        `${name} in ${toolbox.project}`,
        `  from ${was.source}`,
        ...(isEdited ? ['  its files were modified since installation'] : []),
        ...files.files.map(({ path, bytes }) => `  ${path}  (${bytes.length} bytes)`),
      ],
      question: `Remove ${name} with all its files`,
    })
    carryOut()
    if (json) printJson({ removed: name, files: files.files.map(({ path }) => path) }, io)
    else printLine(`Removed: ${name}`, io)
  })
}

async function removeApproval(
  name: string,
  toolbox: Toolbox,
  json: true | undefined,
  io: CliIo,
): Promise<void> {
  // Suggests a similar name if the tool does not exist.
  await toolbox.show(name)
  const { wasApproved, hasFiles } = toolbox.remove(name)
  if (!wasApproved) {
    throw new ContextdError('NOT_FOUND', {
      what: `approval of ${name} to revoke`,
      hint: '`ctxd tool list` shows which are approved.',
    })
  }
  if (json) return printJson({ removed: name }, io)
  const files = hasFiles ? 'Its files were kept.' : 'Its files were already gone.'
  printLine(`${name} is no longer approved. ${files}`, io)
}
