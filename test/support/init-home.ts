import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { initCommand } from '../../src/cli/commands/init/init.ts'
import { runCli } from '@contextd/shared/cli/output'
import { fakeIo, type FakeIo } from '@contextd/shared/testing/cli-io'
import { makeTempHome } from './temp-home.ts'

export interface InitOptions {
  /** The user's answer at the terminal; without it there is no terminal. */
  readonly answer?: string
  readonly env?: NodeJS.ProcessEnv
}

export interface InitHome {
  /** Contains everything below. */
  readonly path: string
  readonly project: string
  /** On the PATH: `contextd` and `claude`. */
  readonly programs: string
  /** The home of the user. */
  readonly person: string
  init(argv: readonly string[], options?: InitOptions): Promise<FakeIo>
  at(name: string): string
  text(name: string): string
  json(name: string): unknown
  put(name: string, content: string): void
  /** Everything in the project. */
  files(): Record<string, string>
  remove(): void
}

/** A project, a home and a PATH to run `ctxd init` in. */
export function makeInitHome(): InitHome {
  const home = makeTempHome()
  const { path, project } = home
  const [programs, person] = [join(path, 'bin'), join(path, 'person')]
  for (const name of ['contextd', 'claude']) chmodSync(home.write(`bin/${name}`, ''), 0o755)
  mkdirSync(person)
  const at = (name: string): string => join(project, name)
  const text = (name: string): string => readFileSync(at(name), 'utf8')
  return {
    path,
    project,
    programs,
    person,
    async init(argv, { answer, env } = {}) {
      const own = { ...home.env, HOME: person, PATH: programs, ...env }
      const fake = fakeIo({ env: own, cwd: project, answer })
      await runCli(initCommand(fake.io), fake.io, argv)
      return fake
    },
    at,
    text,
    json: (name) => JSON.parse(text(name)) as unknown,
    put(name, content) {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), content)
    },
    files: () => filesIn(project),
    remove: home.remove,
  }
}

/** Every file of a folder with its content, and every folder. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names.map((name) => {
      const place = join(folder, name)
      return [name, lstatSync(place).isFile() ? readFileSync(place, 'utf8') : '']
    }),
  )
}
