// Writes the description of the HTTP API.
import { writeFileSync } from 'node:fs'

import { openApiDocument } from './openapi.ts'

writeFileSync('schema/openapi.json', `${JSON.stringify(openApiDocument(), null, 2)}\n`)
