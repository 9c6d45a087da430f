/** `ctxd tls`: our own certificate authority, and the certificates of those who call from elsewhere. */

import type { Command } from 'commander'

import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '../ui/output.ts'
import { wholeNumber } from '../ui/whole-number.ts'

const maxDays = 365

export function tlsCommand(io: CliIo = processIo()): Command {
  return newGroup('tls', 'certificates for callers on other machines', 'ctxd tls init')
    .addCommand(
      newCommand(
        'init',
        'make an authority, and a certificate for the server',
        'ctxd tls init --host contextd.internal',
      )
        .option('--host <name...>', 'a name or address by which others reach this machine')
        .option('--force', 'begin anew; what is there is kept under another name')
        .action(async (options: JsonOption & { host?: string[]; force?: true }) => {
          const { initTls } = await import('./tls/init.ts')
          await initTls(options, io)
        }),
    )
    .addCommand(
      newCommand(
        'issue',
        'a certificate for an agent, or for a person, on another machine',
        'ctxd tls issue --agent main --days 7 --out ./main-tls',
      )
        .option('--agent <id>', 'the agent it stands for')
        .option('--operator <name>', 'the person it stands for, who may then do everything `ctxd` can')
        .option('--days <n>', 'how long it counts', wholeNumber(1, maxDays), 1)
        .requiredOption('--out <folder>', 'where cert.pem, key.pem and ca.pem go (required)')
        .action(
          async (options: JsonOption & { agent?: string; operator?: string; days: number; out: string }) => {
            const { issueCertificate } = await import('./tls/issue.ts')
            await issueCertificate(options, io)
          },
        ),
    )
    .addCommand(
      newCommand('list', 'what was issued, and how long it counts', 'ctxd tls list').action(
        async (options: JsonOption) => {
          const { listCertificates } = await import('./tls/list.ts')
          await listCertificates(options, io)
        },
      ),
    )
    .addCommand(
      newCommand('revoke', 'end a certificate at once', 'ctxd tls revoke 5f0c2b7a91d3e684')
        .argument('<serial>', 'the serial that `list` shows')
        .action(async (serial: string, options: JsonOption) => {
          const { revokeCertificate } = await import('./tls/revoke.ts')
          await revokeCertificate(serial, options, io)
        }),
    )
    .addCommand(
      newCommand(
        'rotate',
        'a new authority; what the old one issued counts until --finish',
        'ctxd tls rotate && ctxd tls rotate --finish',
      )
        .option('--finish', 'end the old authority, and with it what it issued')
        .action(async (options: JsonOption & { finish?: true }) => {
          const { rotateAuthority } = await import('./tls/rotate.ts')
          await rotateAuthority(options, io)
        }),
    )
}
