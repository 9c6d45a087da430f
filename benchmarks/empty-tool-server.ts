// contextd with one tool that does nothing, so that what is measured is the way there and back.
import { composeRuntime } from '../src/compose.ts'
import { serveMcpStdio } from '../src/servers/mcp-stdio.ts'
import { emptyTool } from './support/empty-tool.ts'

const runtime = await composeRuntime({ env: process.env, cwd: process.cwd(), tools: [emptyTool] })
await serveMcpStdio(runtime)
