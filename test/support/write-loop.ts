/** Runs as a separate process: writes one file of a workspace repeatedly, until it is killed. */

import type { ToolHost } from '../../src/core/ports.ts'
import { safeWrite } from '../../src/tools/builtin/safe-write.ts'
import { createFileTools } from '../../src/tools/files/file-tools.ts'
import { aCall } from './calls.ts'
import { runTool } from './run-tool.ts'

const [workspace = '', notes = ''] = process.argv.slice(2)
const files = createFileTools({ hashKey: Buffer.alloc(32, 7), ownFolders: [], protect: [], notes })
const tool = safeWrite(files)
const call = aCall({ project: workspace, grants: [{ kind: 'fs:write', scope: '**' }] })
for (let round = 0; ; round++) {
  await runTool(tool, { path: 'file', content: `round ${round}\n`.repeat(20_000) }, { call } as ToolHost)
  if (round === 3) process.stdout.write('writing\n')
}
