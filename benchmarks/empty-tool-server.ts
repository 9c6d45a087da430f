// contextd with one tool that does nothing, so that only the round trip is measured.
import { keepHeapSmall } from '../src/cli/commands/mcp-serve.ts'
import { composeRuntime } from '../src/compose.ts'
import { serveMcpStdio } from '../src/servers/mcp/stdio.ts'
import { emptyTool } from './support/empty-tool.ts'

keepHeapSmall()
const runtime = await composeRuntime({ env: process.env, cwd: process.cwd(), tools: [emptyTool] })
await serveMcpStdio(runtime)
