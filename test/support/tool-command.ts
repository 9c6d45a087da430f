import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { toolCommand } from '../../src/cli/commands/tool/tool.ts'
import { runCli, type CliIo } from '@contextd/shared/cli/output'
import { openRecords, type Records } from '../../src/compose.ts'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import {
  packageFiles,
  toolProject,
  writePackage,
  type PackageParts,
  type ToolProject,
} from './tool-packages.ts'

export interface ToolCommand extends ToolProject {
  /** Puts a package where it is installed from; `../elsewhere` as seen from the project. */
  offer(parts?: PackageParts): string
  run(argv: string[], options?: RunOptions): Promise<FakeIo>
  /** Runs with a user who answers yes. */
  yes(...argv: string[]): Promise<FakeIo>
  readonly lockFile: string
  lock(): { tools: Record<string, Record<string, string>> }
  /** The text of a file of the installed tool. */
  installedFile(path: string): string
  state(name?: string): Promise<unknown>
  records<T>(work: (records: Records) => T): T
  /** In chronological order. */
  events(): string[]
}

interface RunOptions {
  readonly answer?: string
  readonly env?: NodeJS.ProcessEnv
  readonly io?: (io: CliIo) => CliIo
}

/** `ctxd tool` in a temporary project, which is removed after the test. */
export function toolCommandHere(): ToolCommand {
  const place = toolProject()
  onTestFinished(place.remove)
  const { home, project } = place
  const lockFile = join(project, '.contextd/tools.lock.json')
  const run: ToolCommand['run'] = async (argv, { answer, env, io: change = (same: CliIo) => same } = {}) => {
    const fake = fakeIo({
      cwd: project,
      env: { CONTEXTD_HOME: home, PATH: process.env.PATH, ...env },
      ...(answer !== undefined && { answer }),
    })
    const io = change(fake.io)
    await runCli(toolCommand(io), io, argv)
    return fake
  }
  const records: ToolCommand['records'] = (work) => {
    const opened = openRecords({ CONTEXTD_HOME: home })
    try {
      return work(opened)
    } finally {
      opened.close()
    }
  }
  return {
    ...place,
    run,
    yes: (...argv) => run(argv, { answer: 'y' }),
    offer(parts = {}) {
      const source = join(home, 'elsewhere')
      rmSync(source, { recursive: true, force: true })
      writePackage(source, packageFiles(parts))
      return source
    },
    lockFile,
    lock: () => JSON.parse(readFileSync(lockFile, 'utf8')) as ReturnType<ToolCommand['lock']>,
    installedFile: (path) => readFileSync(join(project, '.contextd/tools/probe', path), 'utf8'),
    state: async (name = 'probe') => jsonOf(await run(['show', name, '--json'])).state,
    records,
    events: () =>
      records(({ audit }) =>
        audit
          .query({ kind: 'event' })
          .map(({ event }) => String(event))
          .toReversed(),
      ),
  }
}

export function jsonOf(fake: FakeIo): Record<string, unknown> {
  return JSON.parse(fake.out()) as Record<string, unknown>
}
