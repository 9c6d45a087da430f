import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { transformSync } from 'esbuild'

import { outputOf, type Example } from '../../scripts/packages/examples.ts'
import { matchesOutput } from '@contextd/shared/testing/markdown-blocks'

interface Place {
  /** The folder for the examples, from which Node must resolve the packages that they import. */
  readonly folder: string
  /** Their working directory. */
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Runs the examples in sequence in one process. Returns those that fail or print something else, with the reason. */
export function runExamples(examples: readonly Example[], { folder, cwd, env }: Place): string[] {
  mkdirSync(folder, { recursive: true })
  const files = examples.map(({ code = '' }, index) => {
    const file = join(folder, `example-${index}.mjs`)
    writeFileSync(file, transformSync(code, { loader: 'ts' }).code)
    return pathToFileURL(file).href
  })
  const runner = join(folder, 'run.mjs')
  writeFileSync(runner, runnerOf(files))
  const { status, stdout, stderr } = spawnSync(process.execPath, [runner], { cwd, env, encoding: 'utf8' })
  const results = stdout.split('\n').flatMap((line) => {
    return line.startsWith(mark) ? [JSON.parse(line.slice(mark.length)) as ExampleResult] : []
  })
  const problems = examples.flatMap(({ specifier, name, code = '' }, index) => {
    const { error, printed } = results[index] ?? { error: 'did not run', printed: '' }
    const expected = outputOf(code)
    if (error !== undefined) return [`${specifier} ${name}: ${error}`]
    if (expected === '' || matchesOutput(expected, printed)) return []
    return [`${specifier} ${name} prints ${JSON.stringify(printed)}, not ${JSON.stringify(expected)}`]
  })
  return status === 0 ? problems : [...problems, `exit status ${status}: ${stderr}`]
}

interface ExampleResult {
  readonly error?: string
  readonly printed: string
}

const mark = '@example '

function runnerOf(files: readonly string[]): string {
  return `
    import { inspect, format } from 'node:util'
    for (const file of ${JSON.stringify(files)}) {
      const printed = []
      console.log = (...values) => printed.push(format(...values))
      let error
      try {
        await import(file)
      } catch (thrown) {
        error = inspect(thrown)
      }
      process.stdout.write('\\n${mark}' + JSON.stringify({ error, printed: printed.join('\\n') }) + '\\n')
    }
  `
}
