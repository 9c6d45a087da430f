/** The command `lint`: entries that do not work as written. */

import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

import type { PermissionClient } from '../clients.ts'
import type { LintFinding } from '../findings/finding.ts'
import { lint } from '../lint.ts'
import { readSetups, type Setups } from '../read-setups.ts'
import { permissionsSarif } from '../report-sarif.ts'
import { CommonError } from '@contextd/shared/errors/common-error'
import { nearestRepository } from '@contextd/shared/files/nearest-repository'
import { printJson, type CliIo } from '@contextd/shared/cli/output'
import { progressLine } from '@contextd/shared/cli/progress'
import { reportFormat, writeReport, type ReportFileOptions } from '@contextd/shared/cli/report'
import { findingChooser, isAtLeast, type Choice } from './choose-findings.ts'
import type { PermissionsHost } from './host.ts'
import { withTools, type QueriedTools } from './queried-tools.ts'
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

/** The files that were read, and the findings in them. */
export interface Linted {
  readonly setups: Setups
  readonly findings: readonly LintFinding[]
  readonly leftOut: number
}

export async function lintProject(
  path: string | undefined,
  options: LintOptions,
  host: PermissionsHost,
  io: CliIo,
): Promise<void> {
  const format = reportFormat(options)
  checkOptions(options)
  const project = folderAt(resolve(io.cwd, path ?? '.'))
  const isChosen = findingChooser(options, project, host.program)
  const secretsIn = await host.secretsIn(io.env, project)
  const { client, pluginDir = [], addDir = [] } = options
  const read = (): Setups =>
    readSetups({
      env: io.env,
      cwd: project,
      secretsIn,
      pluginFolders: pluginDir.map((folder) => resolve(io.cwd, folder)),
      addedFolders: addDir.map((folder) => resolve(io.cwd, folder)),
      ...(client !== undefined && { client }),
    })
  const tools = options.connect ? await toolsOf(read(), host, io) : undefined
  const runLint = (): Linted => {
    const progress = progressLine(io, 'rule')
    try {
      const setups = withQueriedTools(read(), tools)
      const all = lint(setups, progress.show)
      const findings = withEditableRepairs(all.filter(isChosen), editable(setups, io.env))
      return { setups, findings, leftOut: all.length - findings.length }
    } finally {
      progress.clear()
    }
  }

  const first = runLint()
  const fixed = options.fix ? await fixFindings(first, project, options, host, io) : undefined
  // Lint again, to find what remains in the fixed files.
  const { setups, findings, leftOut } = fixed?.written ? runLint() : first
  const outcome = { findings, leftOut, files: decidingFiles(setups).size, fixed }
  report(outcome, project, format, host.program, io, options.output)
  const { failOn = 'error' } = options
  if (failOn !== 'never' && findings.some((finding) => isAtLeast(finding, failOn))) io.setExitCode(1)
}

/** Without repairs of files that may not be edited: the user has to fix those. */
function withEditableRepairs(
  findings: readonly LintFinding[],
  isEditable: (file: string) => boolean,
): LintFinding[] {
  return findings.map((finding) => {
    const { repairs, ...unrepaired } = finding
    return repairs?.every(({ file }) => isEditable(file)) === false ? unrepaired : finding
  })
}

async function toolsOf(
  { claudeCode }: Setups,
  { queryTools }: PermissionsHost,
  io: CliIo,
): Promise<QueriedTools | undefined> {
  return claudeCode && queryTools?.(claudeCode, io)
}

function withQueriedTools(setups: Setups, tools: QueriedTools | undefined): Setups {
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
  if (problem !== undefined) throw new CommonError('USAGE', { problem })
}

function folderAt(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    // Reported below.
  }
  throw new CommonError('NOT_FOUND', { what: `folder ${path}`, hint: 'Give the folder of a project.' })
}

function report(
  outcome: LintOutcome & { readonly fixed: Fixed | undefined },
  project: string,
  format: 'text' | 'json' | 'sarif',
  program: string,
  io: CliIo,
  output: string | undefined,
): void {
  const { findings, leftOut, files, fixed } = outcome
  const print = (to: CliIo): void => {
    if (format === 'text') printFindings(outcome, program, to)
    else if (format === 'sarif')
      printJson(permissionsSarif(findings, nearestRepository(project) ?? project), to)
    else printJson({ findings: findings.map(toJson), left_out: leftOut, files, ...fixed }, to)
  }
  if (output === undefined) return print(io)
  writeReport(resolve(io.cwd, output), print, io)
  io.stderr.write(`${findingsSummary(outcome)}\n`)
}
