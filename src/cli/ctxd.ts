/** `ctxd`, also named `contextd`. Each command is loaded only when it is used. */

import { programFor, programToComplete } from './ctxd-program.ts'
import { runCli } from '@contextd/shared/cli/output'

const argv = process.argv.slice(2)
// The shell calls this at every press of the tab key, so it skips the parser.
if (argv[0] === '__complete')
  await (await import('./commands/completion/answer.ts')).answerShell(argv.slice(1), programToComplete)
else await runCli(await programFor(argv))
