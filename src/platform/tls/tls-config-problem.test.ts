import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { makeTlsPlace } from '../../../test/support/tls-place.ts'
import { day } from './authority.ts'
import { validityOf } from './certificate.ts'
import { readTlsFolder } from './tls-folder.ts'
import { tlsConfigProblem } from './tls-config-problem.ts'

test('reports nothing without TLS or with a valid folder', () => {
  expect(tlsConfigProblem(makeTlsPlace({ setUp: false }).folder, Date.now())).toBeUndefined()
  expect(tlsConfigProblem(makeTlsPlace().folder, Date.now())).toBeUndefined()
})

test('reports an incomplete folder', () => {
  const { folder } = makeTlsPlace()
  writeFileSync(join(folder, 'server.key'), '')
  expect(tlsConfigProblem(folder, Date.now())).toMatchObject({ code: 'TLS_FOLDER_DAMAGED' })
  rmSync(join(folder, 'server.key'))
  expect(tlsConfigProblem(folder, Date.now())?.message).toContain('server.key is missing')
})

test('reports an expired authority, but not an expired server certificate, which is renewed', () => {
  const { folder } = makeTlsPlace()
  const { authority, server } = readTlsFolder(folder)!
  const { notBefore, notAfter } = validityOf(authority.certificate)
  expect(tlsConfigProblem(folder, validityOf(server.certificate).notAfter + day)).toBeUndefined()
  for (const [now, word] of [
    [notBefore - day, 'is valid from'],
    [notAfter + day, 'was valid until'],
  ] as const) {
    const problem = tlsConfigProblem(folder, now)
    expect(problem).toMatchObject({ code: 'TLS_AUTHORITY_UNUSABLE' })
    expect(problem?.message).toContain(word)
    expect(problem?.message).toContain("this machine's clock says")
  }
})
