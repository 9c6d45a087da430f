// npm run bench:control: what controlling contextd from outside costs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { reportControl } from './report.ts'

const home = mkdtempSync(join(tmpdir(), 'contextd-bench-'))
await reportControl(home, (line) => process.stdout.write(`${line}\n`))
rmSync(home, { recursive: true })
