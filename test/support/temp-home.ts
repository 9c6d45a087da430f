import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import type { Command } from 'commander'

import { runCli, type CliIo } from '@contextd/shared/cli/output'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'

/** A temporary CONTEXTD_HOME and project folder, with commands run in them. */
export interface TempHome {
  readonly path: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  write(file: string, content: string | object): string
  run(command: (io: CliIo) => Command, ...argv: string[]): Promise<FakeIo>
  remove(): void
}

export function makeTempHome(): TempHome {
  const path = mkdtempSync(join(tmpdir(), 'contextd-home-'))
  const project = join(path, 'project')
  mkdirSync(project)
  // Clients use this home too, not the home of the user who runs the tests.
  const env = { CONTEXTD_HOME: path, HOME: path }
  return {
    path,
    project,
    env,
    write(file, content) {
      const target = join(path, file)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
      return target
    },
    async run(command, ...argv) {
      const fake = fakeIo({ env, cwd: project })
      await runCli(command(fake.io), fake.io, argv)
      return fake
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
