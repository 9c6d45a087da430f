import { describe, expect, test } from 'vitest'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { isBusy, storeError } from './store-error.ts'

const driverError = (errcode: number): Error => Object.assign(new Error('driver words'), { errcode })
const systemError = (code: string): Error => Object.assign(new Error('system words'), { code })

describe('errors of the driver or file system are converted', () => {
  test.each([
    [driverError(5), 'locked'],
    [driverError(261), 'locked'], // SQLITE_BUSY_RECOVERY, an extended code
    [driverError(8), 'read-only'],
    [driverError(10), 'reading or writing'],
    [driverError(11), 'damaged'],
    [driverError(13), 'full'],
    [driverError(14), 'cannot be opened'],
    [driverError(26), 'not a database'],
    [Object.assign(new Error('database disk image is malformed'), { code: 'ERR_SQLITE_ERROR' }), 'damaged'],
    [systemError('ENOSPC'), 'full'],
    [systemError('EACCES'), 'denied'],
    [systemError('EROFS'), 'read-only'],
    [systemError('ENOTDIR'), 'not a folder'],
    [systemError('EEXIST'), 'not a folder'],
  ])('%o', (error, words) => {
    const mapped = storeError(error, '/x/contextd.db') as CodedError
    expect(mapped).toBeInstanceOf(CodedError)
    expect(mapped.code).toBe('STORE_UNAVAILABLE')
    expect(mapped.message).toContain(words)
    expect(mapped.message).toContain('/x/contextd.db')
    expect(mapped.cause).toBe(error)
  })

  test.each([
    driverError(1),
    driverError(2067),
    new TypeError('a bug'),
    new Error('database is locked'),
    new ContextdError('STORE_TOO_NEW'),
    'text',
    null,
  ])('but %o stays unchanged', (error) => expect(storeError(error, '/x')).toBe(error))
})

test('only locks are worth retrying', () => {
  expect([5, 261, 517, 15].map((code) => isBusy(driverError(code)))).toEqual([true, true, true, true])
  expect([8, 11, 13].map((code) => isBusy(driverError(code)))).toEqual([false, false, false])
})
