/** `ctxd`: the command-line tool for users. Each command is loaded only when it is used. */

import { helpAboutNothing, programFor } from './ctxd-program.ts'
import { runCli } from '@contextd/shared/cli/output'

const argv = process.argv.slice(2)
// The shell calls this at every press of the tab key, so it skips the parser.
if (argv[0] === '__complete')
  await (await import('./commands/completion/answer.ts')).answerShell(argv.slice(1), programFor)
else await runCli(helpAboutNothing(argv) ?? (await programFor(argv)))
