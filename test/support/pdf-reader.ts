import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { bundleSources } from '../../scripts/bundle-sources.mjs'
import { openBubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { createPdfReader, type PdfReaderOptions, type ReadPdf } from '../../src/tools/files/read/pdf.ts'
import { roomyLimits } from '../sandbox/confined-to.ts'

/** Readers of PDFs in a real sandbox, with the program of the current sources. */
export async function openPdfReaders(): Promise<{
  readerWith(options?: Partial<PdfReaderOptions>): ReadPdf
  close(): Promise<void>
}> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-pdf-'))
  const program = join(folder, 'pdf-text.mjs')
  await bundleSources(
    fileURLToPath(new URL('../../src/tools/files/read/pdf-text.ts', import.meta.url)),
    program,
  )
  const sandbox = await openBubblewrap({ folder: join(folder, 'sandbox') })
  return {
    readerWith: (options = {}) => createPdfReader({ sandbox, limits: roomyLimits, program, ...options }),
    async close() {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
