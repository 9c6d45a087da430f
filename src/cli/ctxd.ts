/** `ctxd`: everything a person does. Each command is loaded only when it is used. */

import { ctxdProgram, wantedCommand } from './ctxd-program.ts'
import { runProgram } from './ui/output.ts'

const wanted = wantedCommand(process.argv.slice(2))
await runProgram(await ctxdProgram((name) => name === wanted))
