// Writes the JSON Schemas of the files that users edit, for their editors.
import { writeFileSync } from 'node:fs'

import { configJsonSchema } from '../src/platform/config/config-schema.ts'
import { rulesJsonSchema } from '../src/stages/policy/rules-schema.ts'
import { manifestJsonSchema } from '../src/tools/plugins/manifest.ts'
import { serversJsonSchema } from '../src/tools/upstream/servers/server-schema.ts'

const schemas = {
  'schema/config.schema.json': configJsonSchema(),
  'schema/rules.schema.json': rulesJsonSchema(),
  'schema/servers.schema.json': serversJsonSchema(),
  'schema/tool-capabilities.schema.json': manifestJsonSchema(),
}
for (const [file, schema] of Object.entries(schemas))
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
