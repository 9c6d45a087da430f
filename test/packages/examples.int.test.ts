import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { compileExamples } from '../../scripts/packages/compile-examples.ts'
import { exampleOf } from '../../scripts/packages/examples.ts'
import type { Declaration } from '../../scripts/packages/declarations.ts'
import { workspacePackages } from '../../scripts/packages/manifest.mjs'
import { runExamples } from '../support/run-examples.ts'

const declare = (name: string, example: string): Declaration => {
  const comment = `/**\n * Does it.\n${example.replace(/^/gm, ' * ')}\n */\n`
  return { name, comment, text: `${comment}function ${name}(count: number): void;\n` }
}

const good = declare('good', "@example\nimport { good } from '@contextd/scrub'\n\ngood(1)\n@throws never")
const alone = declare('alone', '@example\nalone(1)')
const wrong = declare('wrong', "@example\nimport { wrong } from '@contextd/scrub'\n\nwrong('one')")

describe('an example', () => {
  it('is the part of the comment after @example', () => {
    expect(exampleOf('@contextd/scrub', good).code).toBe(
      "import { good } from '@contextd/scrub'\n\ngood(1)\n",
    )
  })

  it('must import what it shows', () => {
    expect(exampleOf('@contextd/scrub', alone).code).toBeUndefined()
    expect(exampleOf('@contextd/scrub/rules', good).code).toBeUndefined()
  })

  it('must exist and compile', () => {
    const entry = workspacePackages()[0]!.entries[0]!
    const problems = compileExamples(
      new Map([[entry, { exported: [good, alone, wrong], internal: [], imports: [] }]]),
    )
    expect(problems).toEqual([
      "@contextd/scrub: alone needs an @example that imports it from '@contextd/scrub'",
      expect.stringMatching(/wrong\.ts\(3,7\): error TS2345/) as string,
    ])
  })

  it('must print what it says', () => {
    const codes = ['console.log(1 + 1)\n// → 2\n', 'console.log(1 + 1)\n// → 3\n', "throw new Error('no')\n"]
    const examples = codes.map((code, index) => ({ specifier: 'x', name: `n${index}`, code }))
    const folder = mkdtempSync(join(tmpdir(), 'contextd-examples-'))
    try {
      const problems = runExamples(examples, { folder, cwd: folder, env: process.env })
      expect(problems).toEqual([
        'x n1 prints "2", not "3"',
        expect.stringContaining('x n2: Error: no') as string,
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
