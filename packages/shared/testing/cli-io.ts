import { fitForTerminal, type CliIo } from '../src/cli/output.ts'

export interface FakeIo {
  readonly io: CliIo
  readonly out: () => string
  readonly err: () => string
  readonly code: () => number
  /** Output on the operator's terminal. */
  readonly asked: () => string
}

/** A fake environment for one command run. `answer`: the user's input at the terminal; undefined = no terminal. */
export function fakeIo(options: {
  env?: NodeJS.ProcessEnv
  cwd?: string
  answer?: string | undefined
  columns?: number
}): FakeIo {
  let out = ''
  let err = ''
  let asked = ''
  let code = 0
  const stream = (add: (text: string) => void): CliIo['stdout'] =>
    fitForTerminal({
      write: add,
      ...(options.columns !== undefined && { isTTY: true, columns: options.columns }),
    })
  const terminal = {
    write: (text: string) => {
      asked += text
    },
    discardInput: () => {},
    readLine: async () => options.answer,
    readHidden: async (prompt: string) => {
      asked += prompt
      return options.answer
    },
    close: () => {},
  }
  return {
    io: {
      stdout: stream((text) => {
        out += text
      }),
      stderr: stream((text) => {
        err += text
      }),
      env: options.env ?? {},
      cwd: options.cwd ?? '/',
      setExitCode(next) {
        code = next
      },
      openTerminal: () => (options.answer === undefined ? undefined : terminal),
    },
    out: () => out,
    err: () => err,
    code: () => code,
    asked: () => asked,
  }
}
