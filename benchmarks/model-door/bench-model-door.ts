// npm run bench:model-door: what the model door adds to a request.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { reportModelDoor } from './report.ts'

const home = mkdtempSync(join(tmpdir(), 'contextd-bench-'))
await reportModelDoor(home, (line) => process.stdout.write(`${line}\n`))
rmSync(home, { recursive: true })
