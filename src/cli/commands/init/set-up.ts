/** From choosing the client to writing the files. */

import type { LintFinding } from '@contextd/permissions'
import { CodedError } from '../../../core/errors/errors.ts'
import { loadConfig } from '../../../platform/config/load-config.ts'
import { refuseInsideAgent, requireOperator } from '@contextd/shared/operator'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { ensureClientKey } from '../../support/client-key.ts'
import { note, printJson, printLine, type CliIo } from '@contextd/shared/cli/output'
import type { InitOptions } from './init.ts'
import { noteSecrets } from '../upstream/secrets.ts'
import { sayWhoMay, whoMay, type WhoMay } from '../upstream/who-may.ts'
import type { FileChange } from '@contextd/shared/changes/change'
import { choosePlatforms, chooseMode } from './choices.ts'
import { openDisplayMask } from './display-mask.ts'
import { describeFor, printAudiences } from './show-audiences.ts'
import { summarizePaths, printChanges } from '@contextd/shared/changes/show-changes'
import { carryOut } from './carry-out.ts'
import { withKey } from './door.ts'
import { setUpNotes } from './set-up-notes.ts'
import { planSetUp, type SetUpPlan, type SetUpRequest } from './plan-set-up.ts'

export async function setUp(options: InitOptions, project: string | undefined, io: CliIo): Promise<void> {
  const { json, dryRun } = options
  if (!dryRun) refuseInsideAgent(io.env)
  const chosen = choosePlatforms(options, io)
  const loaded = loadConfig({ userFile: resolvePaths(io.env).configFile, isTrusted: () => false })
  const mode = await chooseMode(options, chosen, loaded, io)
  const request = { options, project, chosen, mode, loaded }
  const plan = await planSetUp(request, io)
  const { changes, door, openCode, program } = plan
  const notes = setUpNotes(request, plan, io)
  const described = describeFor(
    changes,
    plan.audiences,
    changes.length > 0 ? await openDisplayMask(io) : String,
  )
  const answer = {
    platforms: chosen,
    mode: mode.mode,
    door: door.settings !== undefined || openCode.isOn,
    program,
    changes: described,
    notes,
  }
  if (!json) {
    printChanges(described, io)
    printAudiences(described, io)
  }
  if (dryRun || changes.length === 0) {
    // The key may have been revoked since.
    if (openCode.isOn && !dryRun) await ensureClientKey('opencode', io)
    if (json) return printJson({ ...answer, written: false }, io)
    for (const text of notes) note(text, io)
    return printLine(changes.length === 0 ? 'Nothing to do.' : 'Nothing was written.', io)
  }

  const { findings, allowed } = await writePlan(plan, request, io)
  if (json) {
    return printJson({ ...answer, written: true, backup: plan.journal.file, findings, ...allowed }, io)
  }
  printWritten(plan, { notes, findings, allowed }, io)
}

interface AfterWriting {
  readonly findings: readonly LintFinding[]
  /** The agents that may use the moved servers. */
  readonly allowed: WhoMay
}

async function writePlan(
  { changes, remembered, journal, door, openCode, move }: SetUpPlan,
  { project, mode }: SetUpRequest,
  io: CliIo,
): Promise<AfterWriting> {
  const needsConfirmation = mode.isLoosened || move.file !== undefined || door.needsConfirmation
  const isApproved = await confirm(changes, needsConfirmation, io)
  const complete = await withKey({ changes, remembered }, io)
  if (openCode.isOn) await ensureClientKey('opencode', io)
  const root = project ?? 'user'
  const work = { ...complete, memory: journal.file, root, project, isApproved }
  await carryOut({ ...work, event: 'client-set-up' }, io)
  const allowed = await whoMay(
    move.servers.map(({ name }) => name),
    io,
  )
  return { allowed, findings: await lintWritten(changes, project, io) }
}

function printWritten(
  { changes, move, journal }: SetUpPlan,
  { notes, findings, allowed }: AfterWriting & { notes: readonly string[] },
  io: CliIo,
): void {
  printLine(`Written: ${summarizePaths(changes.map(({ path }) => path))}`, io)
  for (const text of notes) note(text, io)
  for (const { file, line, message, fix } of findings) note(`${file}:${line}: ${message} ${fix}`, io)
  noteSecrets(move.secrets, move.file?.path ?? '', io)
  if (move.file !== undefined) sayWhoMay(allowed, io)
  note(`the previous files are in ${journal.file}; \`ctxd init --undo\` restores them`, io)
}

/** Whether the user approved. Without a terminal, changes that remove no protection proceed anyway. */
async function confirm(
  changes: readonly FileChange[],
  needsConfirmation: boolean,
  io: CliIo,
): Promise<boolean> {
  try {
    await requireOperator({
      ...io,
      details: changes.map(({ path }) => `  ${path}`),
      question: `Write ${changes.length === 1 ? 'this file' : `these ${changes.length} files`}`,
    })
    return true
  } catch (error) {
    if (!needsConfirmation && error instanceof CodedError && error.code === 'OPERATOR_REQUIRED') return false
    throw error
  }
}

/** Lint findings in the written files: in our part and in what was there before. */
async function lintWritten(
  changes: readonly FileChange[],
  project: string | undefined,
  io: CliIo,
): Promise<LintFinding[]> {
  const { lintWithUserRules } = await import('../../../compose/permissions.ts')
  const written = new Set(changes.map(({ path }) => path))
  const findings = await lintWithUserRules({ env: io.env, cwd: project ?? io.cwd })
  return findings.filter(({ file, severity }) => written.has(file) && severity !== 'note')
}
