// Writes the table of docs/reference/errors.md from the catalogue; the text above it is preserved.
import { readFileSync, writeFileSync } from 'node:fs'

import { errorCatalogue } from '../src/core/errors/errors.ts'

const page = 'docs/reference/errors.md'
const marker = '| code | JSON-RPC | HTTP | gRPC | exit | message | what to do |'
const [text = ''] = readFileSync(page, 'utf8').split(marker)
const rows = Object.entries(errorCatalogue).map(
  ([code, { jsonrpc, http, grpc, exit, message, hint }]) =>
    `| \`${code}\` | ${String(jsonrpc).replace('-', '−')} | ${http} | ${grpc} | ${exit} | ${message} | ${hint} |`,
)
writeFileSync(page, `${text}${marker}\n|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`)
