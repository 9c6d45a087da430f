// Writes src/clients/tool-links/parameters.json: the parameters of `ctxd init --tools`, from the tools' own schemas.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { linkedTools, linkParameters } from '../src/clients/tool-links/tools.ts'
import { composeRuntime } from '../src/compose.ts'

const home = mkdtempSync(join(tmpdir(), 'contextd-generate-'))
const runtime = await composeRuntime({ env: { HOME: home, PATH: process.env.PATH }, cwd: home })
try {
  const parameters = linkedTools.map((tool) => {
    const found = runtime.catalogue.find(tool.name)
    if (found === undefined) throw new Error(`${tool.name} is not a tool of contextd`)
    return [tool.name, linkParameters(tool, found.definition.inputSchema)]
  })
  const text = JSON.stringify(Object.fromEntries(parameters), null, 2)
  writeFileSync('src/clients/tool-links/parameters.json', `${text}\n`)
} finally {
  await runtime.close()
  rmSync(home, { recursive: true })
}
