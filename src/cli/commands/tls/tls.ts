/** `ctxd tls`: our own certificate authority, and certificates for remote callers. */

import type { Command } from 'commander'

import { newCommand, newGroup, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'

const maxDays = 365

export function tlsCommand(io: CliIo = processIo()): Command {
  return newGroup('tls', 'manage certificates for callers on other machines', 'ctxd tls init')
    .addCommand(
      newCommand(
        'init',
        'create a certificate authority and a server certificate',
        'ctxd tls init --host contextd.internal',
      )
        .option('--host <name...>', 'name or address of this machine for callers')
        .option('--force', 'start over; the old folder is renamed, not deleted')
        .action(async (options: JsonOption & { host?: string[]; force?: true }) => {
          const { initTls } = await import('./init.ts')
          await initTls(options, io)
        }),
    )
    .addCommand(
      newCommand(
        'issue',
        'issue a certificate for an agent or operator on another machine',
        'ctxd tls issue --agent main --days 7 --out ./main-tls',
      )
        .option('--agent <id>', 'agent that it authenticates')
        .option('--operator <name>', 'operator that it authenticates, who may do everything `ctxd` can')
        .option('--days <n>', 'validity in days', wholeNumber(1, maxDays), 1)
        .requiredOption('--out <folder>', 'folder for cert.pem, key.pem and ca.pem (required)')
        .action(
          async (options: JsonOption & { agent?: string; operator?: string; days: number; out: string }) => {
            const { issueCertificate } = await import('./issue.ts')
            await issueCertificate(options, io)
          },
        ),
    )
    .addCommand(
      newCommand('list', 'list certificates and their expiry dates', 'ctxd tls list').action(
        async (options: JsonOption) => {
          const { listCertificates } = await import('./list.ts')
          await listCertificates(options, io)
        },
      ),
    )
    .addCommand(
      newCommand('revoke', 'revoke a certificate, effective immediately', 'ctxd tls revoke 5f0c2b7a91d3e684')
        .argument('<serial>', 'serial shown by `list`')
        .action(async (serial: string, options: JsonOption) => {
          const { revokeCertificate } = await import('./revoke.ts')
          await revokeCertificate(serial, options, io)
        }),
    )
    .addCommand(
      newCommand(
        'rotate',
        'create a new authority; old certificates stay valid until --finish',
        'ctxd tls rotate && ctxd tls rotate --finish',
      )
        .option('--finish', 'retire the old authority and all its certificates')
        .action(async (options: JsonOption & { finish?: true }) => {
          const { rotateAuthority } = await import('./rotate.ts')
          await rotateAuthority(options, io)
        }),
    )
}
