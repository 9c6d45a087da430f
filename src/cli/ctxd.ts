/** `ctxd`: everything a person does. Each command is loaded only when it is used. */

import { helpAboutNothing, programFor } from './ctxd-program.ts'
import { runCli } from '@contextd/shared/cli/output'

const argv = process.argv.slice(2)
// Asked by the shell at every press of the tab key: it prints words and parses nothing.
if (argv[0] === '__complete')
  await (await import('./commands/completion/answer.ts')).answerShell(argv.slice(1), programFor)
else await runCli(helpAboutNothing(argv) ?? (await programFor(argv)))
