/** `ctxd upstream`: the MCP servers behind the gateway. */

import { InvalidArgumentError, Option, type Command } from 'commander'

import { importClients } from '../../../tools/upstream/servers/client-formats.ts'
import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { addUpstream, type AddServerOptions } from './add.ts'
import { importUpstream, type ImportServersOptions } from './import.ts'
import { approveTools, listTools, testUpstream } from './inspect.ts'
import { listServers } from './list.ts'
import { loginUpstream, logoutUpstream } from './login.ts'
import { removeUpstream, type RemoveOptions } from './remove.ts'

export function upstreamCommand(io: CliIo = processIo()): Command {
  return newGroup('upstream', 'manage MCP servers behind the gateway', 'ctxd upstream list')
    .addCommand(
      newCommand('list', 'list servers, and what each lacks to be usable', 'ctxd upstream list').action(
        (options: JsonOption) => listServers(options, io),
      ),
    )
    .addCommand(
      newCommand(
        'add',
        'add a server: a command to start, or a URL',
        "ctxd upstream add github --env 'GITHUB_TOKEN=${secret:github}' -- npx -y github-mcp",
      )
        .argument('<name>', 'its name in rules and for agents')
        .argument('[command...]', 'after `--`: the program to start, and its arguments')
        .option('--url <url>', 'its URL, instead of a command')
        .option('--description <text>', 'what it is for; agents see it')
        .option('--env <K=V>', 'environment variable; repeatable', pair('='), [])
        .option('--header <K: V>', 'header of every request; repeatable', pair(':'), [])
        .addOption(new Option('--transport <kind>', 'transport for the URL').choices(['http', 'sse']))
        .option(
          '--cwd <folder>',
          'working folder; by default that of its file, or the project with --project or --sandbox',
        )
        .option(
          '--sandbox <capability>',
          'run it in the sandbox with this capability; repeatable',
          collect,
          [],
        )
        .option('--stateless', 'it is stateless: all agents share one connection')
        .option('--transparent', "list its tools next to contextd's own")
        .option('--project', "add it to the project's file instead of your own")
        .action((name: string, command: string[], options: AddServerOptions) =>
          addUpstream(name, command, options, io),
        ),
    )
    .addCommand(
      newCommand('remove', 'remove a server from its file', 'ctxd upstream remove github')
        .argument('<name>', 'name shown by `list`')
        .option('--project', "remove it from the project's file instead of your own")
        .action((name: string, options: RemoveOptions) => removeUpstream(name, options, io)),
    )
    .addCommand(
      newCommand(
        'import',
        'import servers from the configuration of your other clients',
        'ctxd upstream import --from cursor',
      )
        .argument('[name...]', 'only these; all by default')
        .addOption(new Option('--from <client>', 'only from this client').choices(importClients))
        .option('--project', "import this project's servers into its own file")
        .action((names: string[], options: ImportServersOptions) => importUpstream(names, options, io)),
    )
    .addCommand(
      newCommand('test', 'start servers and report the result', 'ctxd upstream test github')
        .argument('[name...]', 'names shown by `list`; all by default')
        .action((names: string[], options: JsonOption) => testUpstream(names, options, io)),
    )
    .addCommand(
      newCommand(
        'tools',
        'list the tools of a server, including those held back',
        'ctxd upstream tools github',
      )
        .argument('<name>', 'name shown by `list`')
        .action((name: string, options: JsonOption) => listTools(name, options, io)),
    )
    .addCommand(
      newCommand(
        'approve',
        'show changed tools, and let agents use the new versions',
        'ctxd upstream approve github',
      )
        .argument('<name>', 'name shown by `list`')
        .argument('[tool...]', 'only these; all held back by default')
        .action((name: string, tools: string[], options: JsonOption) =>
          approveTools(name, tools, options, io),
        ),
    )
    .addCommand(
      newCommand('login', 'sign in to a server, in a browser', 'ctxd upstream login github')
        .argument('<name>', 'name shown by `list`')
        .action((name: string, options: JsonOption) => loginUpstream(name, options, io)),
    )
    .addCommand(
      newCommand('logout', 'delete the stored sign-in to a server', 'ctxd upstream logout github')
        .argument('<name>', 'name shown by `list`')
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
