/** `ctxd`: everything a person does. Each command is loaded only when it is used. */

import { ctxdProgram } from './ctxd-program.ts'
import { runProgram } from './ui/output.ts'

await runProgram(await ctxdProgram((name) => name === process.argv[2]))
