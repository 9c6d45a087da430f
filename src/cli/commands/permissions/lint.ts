/** `ctxd permissions lint`: entries that do not work as written. */

import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import type { PermissionClient } from '../../../clients/permissions/clients.ts'
import type { LintFinding } from '../../../clients/permissions/finding.ts'
import { lint } from '../../../clients/permissions/lint.ts'
import { readSetups, type Setups } from '../../../clients/permissions/read-setups.ts'
import { permissionsSarif } from '../../../clients/permissions/report-sarif.ts'
import { ContextdError } from '../../../core/errors.ts'
import { nearestRepository } from '../../../platform/tree/nearest-repository.ts'
import { printJson, type CliIo } from '../../ui/output.ts'
import { progressLine } from '../../ui/progress.ts'
import { reportFormat, writeReport, type ReportFileOptions } from '../../ui/report.ts'
import { findingChooser, isAtLeast, type Choice } from './choose-findings.ts'
import { askTools, withTools, type AskedTools } from './connect.ts'
import { editable, decidingFiles, fixFindings, type Fixed } from './fix.ts'
import { printFindings, findingsSummary, toJson, type LintOutcome } from './print-findings.ts'

export interface LintOptions extends ReportFileOptions, Choice {
  readonly fix?: true
  readonly dryRun?: true
  readonly output?: string
  readonly client?: PermissionClient
  readonly pluginDir?: readonly string[]
  readonly addDir?: readonly string[]
  readonly connect?: true
  readonly failOn?: 'error' | 'warning' | 'never'
}

/** What was read, and its problems. */
export interface Linted {
  readonly setups: Setups
  readonly findings: readonly LintFinding[]
  readonly leftOut: number
}

export async function lintProject(path: string | undefined, options: LintOptions, io: CliIo): Promise<void> {
  const format = reportFormat(options)
  checkOptions(options)
  const project = folderAt(resolve(io.cwd, path ?? '.'))
  const isChosen = findingChooser(options, project)
  const { permissionPorts } = await import('../../../compose/permissions.ts')
  const ports = await permissionPorts(io.env, project)
  const { client, pluginDir = [], addDir = [] } = options
  const read = (): Setups =>
    readSetups({
      env: io.env,
      cwd: project,
      ...ports,
      pluginFolders: pluginDir.map((folder) => resolve(io.cwd, folder)),
      addedFolders: addDir.map((folder) => resolve(io.cwd, folder)),
      ...(client !== undefined && { client }),
    })
  const tools = options.connect ? await toolsOf(read(), io) : undefined
  const look = (): Linted => {
    const progress = progressLine(io, 'rule')
    try {
      const setups = known(read(), tools)
      const all = lint(setups, progress.show)
      const findings = onlyOwnRepairs(all.filter(isChosen), editable(setups, io.env))
      return { setups, findings, leftOut: all.length - findings.length }
    } finally {
      progress.clear()
    }
  }

  const first = look()
  const fixed = options.fix ? await fixFindings(first, project, options, io) : undefined
  // Lint again, to find what remains in the fixed files.
  const { setups, findings, leftOut } = fixed?.written ? look() : first
  const outcome = { findings, leftOut, files: decidingFiles(setups).size, fixed }
  report(outcome, project, format, io, options.output)
  const { failOn = 'error' } = options
  if (failOn !== 'never' && findings.some((finding) => isAtLeast(finding, failOn))) io.setExitCode(1)
}

/** Files that are not ours to edit count as left for the user too. */
function onlyOwnRepairs(findings: readonly LintFinding[], isOurs: (file: string) => boolean): LintFinding[] {
  return findings.map((finding) => {
    const { repairs, ...told } = finding
    return repairs?.every(({ file }) => isOurs(file)) === false ? told : finding
  })
}

async function toolsOf({ claudeCode }: Setups, io: CliIo): Promise<AskedTools | undefined> {
  return claudeCode && askTools(claudeCode, io)
}

function known(setups: Setups, tools: AskedTools | undefined): Setups {
  const { claudeCode } = setups
  if (tools === undefined || claudeCode === undefined) return setups
  return { ...setups, claudeCode: withTools(claudeCode, tools) }
}

function checkOptions({ fix, dryRun, format }: LintOptions): void {
  const problem =
    dryRun && !fix
      ? '--dry-run needs --fix'
      : fix && format === 'sarif'
        ? '--fix and --format sarif are mutually exclusive'
        : undefined
  if (problem !== undefined) throw new ContextdError('USAGE', { problem })
}

function folderAt(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    // Reported below.
  }
  throw new ContextdError('NOT_FOUND', { what: `folder ${path}`, hint: 'Give the folder of a project.' })
}

function report(
  outcome: LintOutcome & { readonly fixed: Fixed | undefined },
  project: string,
  format: 'text' | 'json' | 'sarif',
  io: CliIo,
  output: string | undefined,
): void {
  const { findings, leftOut, files, fixed } = outcome
  const print = (to: CliIo): void => {
    if (format === 'text') printFindings(outcome, to)
    else if (format === 'sarif')
      printJson(permissionsSarif(findings, nearestRepository(project) ?? project), to)
    else printJson({ findings: findings.map(toJson), left_out: leftOut, files, ...fixed }, to)
  }
  if (output === undefined) return print(io)
  writeReport(resolve(io.cwd, output), print, io)
  io.stderr.write(`${findingsSummary(outcome)}\n`)
}
