/** `ctxd upstream`: the MCP servers behind the gateway. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { importClients } from '../../compose/server-files.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '../ui/output.ts'
import { addUpstream, type AddServerOptions } from './upstream/add.ts'
import { importUpstream, type ImportServersOptions } from './upstream/import.ts'
import { approveTools, listTools, testUpstream } from './upstream/inspect.ts'
import { listServers } from './upstream/list.ts'
import { loginUpstream, logoutUpstream } from './upstream/login.ts'
import { removeUpstream, type RemoveOptions } from './upstream/remove.ts'

export function upstreamCommand(io: CliIo = processIo()): Command {
  return newGroup('upstream', 'MCP servers behind the gateway', 'ctxd upstream list')
    .addCommand(
      newCommand(
        'list',
        'the servers there are, and what each lacks to be used',
        'ctxd upstream list',
      ).action((options: JsonOption) => listServers(options, io)),
    )
    .addCommand(
      newCommand(
        'add',
        'name a server: a command to start, or an address',
        "ctxd upstream add github --env 'GITHUB_TOKEN=${secret:github}' -- npx -y github-mcp",
      )
        .argument('<name>', 'what rules and agents call it')
        .argument('[command...]', 'behind `--`: the program to start, and its arguments')
        .option('--url <url>', 'where it listens, in place of a command')
        .option('--description <text>', 'what it is for; agents see it')
        .option('--env <K=V>', 'a variable of its environment; may be given again', pair('='), [])
        .option('--header <K: V>', 'a header of every request; may be given again', pair(':'), [])
        .addOption(new Option('--transport <kind>', 'how the address is spoken to').choices(['http', 'sse']))
        .option('--cwd <folder>', 'where it is started; the project otherwise')
        .option(
          '--sandbox <capability>',
          'start it in the sandbox, with this; may be given again',
          collect,
          [],
        )
        .option('--stateless', 'it keeps nothing between calls: all agents share one connection')
        .option('--transparent', 'list its tools beside our own')
        .option('--project', 'write it down in this project, not in your own file')
        .action((name: string, command: string[], options: AddServerOptions) =>
          addUpstream(name, command, options, io),
        ),
    )
    .addCommand(
      newCommand('remove', 'take a server out of its file', 'ctxd upstream remove github')
        .argument('<name>', 'as `list` shows it')
        .option('--project', 'out of the file of this project, not out of your own')
        .action((name: string, options: RemoveOptions) => removeUpstream(name, options, io)),
    )
    .addCommand(
      newCommand(
        'import',
        'take over the servers that your other clients are set up with',
        'ctxd upstream import --from cursor',
      )
        .argument('[name...]', 'only these; all that are found otherwise')
        .addOption(new Option('--from <client>', 'only those of this client').choices(importClients))
        .option('--project', 'those that this project brings along, into its own file')
        .action((names: string[], options: ImportServersOptions) => importUpstream(names, options, io)),
    )
    .addCommand(
      newCommand('test', 'start servers and say how that goes', 'ctxd upstream test github')
        .argument('[name...]', 'as `list` shows them; all there are otherwise')
        .action((names: string[], options: JsonOption) => testUpstream(names, options, io)),
    )
    .addCommand(
      newCommand('tools', 'what a server offers, and what of that is held back', 'ctxd upstream tools github')
        .argument('<name>', 'as `list` shows it')
        .action((name: string, options: JsonOption) => listTools(name, options, io)),
    )
    .addCommand(
      newCommand(
        'approve',
        'show how tools have changed, and let agents use them as they are now',
        'ctxd upstream approve github',
      )
        .argument('<name>', 'as `list` shows it')
        .argument('[tool...]', 'only these; all that are held back otherwise')
        .action((name: string, tools: string[], options: JsonOption) =>
          approveTools(name, tools, options, io),
        ),
    )
    .addCommand(
      newCommand('login', 'sign in to a server, in a browser', 'ctxd upstream login github')
        .argument('<name>', 'as `list` shows it')
        .action((name: string, options: JsonOption) => loginUpstream(name, options, io)),
    )
    .addCommand(
      newCommand('logout', 'forget the sign-in to a server', 'ctxd upstream logout github')
        .argument('<name>', 'as `list` shows it')
        .action((name: string, options: JsonOption) => logoutUpstream(name, options, io)),
    )
}

function collect(text: string, before: readonly string[]): string[] {
  return [...before, text]
}

/** `K=V` or `K: V`, collected. */
function pair(separator: string): (text: string, before: [string, string][]) => [string, string][] {
  return (text, before) => {
    const at = text.indexOf(separator)
    if (at < 1) throw new InvalidArgumentError(`It must be a name, "${separator}" and a value.`)
    const value = text.slice(at + 1)
    return [...before, [text.slice(0, at).trim(), separator === ':' ? value.trim() : value]]
  }
}
