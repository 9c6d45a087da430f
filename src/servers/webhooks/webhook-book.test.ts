import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { temporaryAudit } from '../../../test/support/audit.ts'
import { createWebhookBook, type WebhookBook } from './webhook-book.ts'

function open(): { book: WebhookBook; audit: ReturnType<typeof temporaryAudit> } {
  const audit = temporaryAudit()
  const { store, keysDir } = audit.files
  const clock = (): number => audit.clock.now
  return { audit, book: createWebhookBook({ store, tenant: 'local', keysDir, clock, randomBytes }) }
}

const url = 'https://hooks.example.com/T000/very-secret-path?key=also-secret'

test('a webhook receives events after it was added', () => {
  const { book, audit } = open()
  audit.log.event('daemon-started')
  const { webhook, secret } = book.add(url, ['refusal'])
  expect(webhook).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{12}$/),
    origin: 'https://hooks.example.com',
    events: ['refusal'],
    createdAt: 1_000_000,
    seen: 1,
  })
  expect(secret).toMatch(/^whsec_[\w-]{43}$/)
  expect(book.targetOf(webhook.id)).toEqual({ url, secret })
  expect(book.list()).toEqual([webhook])
})

test('neither the secret nor the path of a URL is in the file', () => {
  const { book, audit } = open()
  const { secret } = book.add(url, ['refusal'])
  audit.files.store.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  const bytes = readFileSync(audit.files.store.path, 'latin1')
  expect(bytes).toContain('https://hooks.example.com')
  for (const hidden of [secret, 'very-secret-path', 'also-secret']) expect(bytes).not.toContain(hidden)
})

test('a secret that was moved to another webhook cannot be decrypted', () => {
  const { book, audit } = open()
  const one = book.add(url, ['refusal']).webhook.id
  const two = book.add('https://evil.example.com/', ['refusal']).webhook.id
  audit.intruder
    .prepare('UPDATE webhooks SET secret = (SELECT secret FROM webhooks WHERE id = ?) WHERE id = ?')
    .run(one, two)
  expect(() => book.targetOf(two)).toThrow()
  expect(book.targetOf(one).url).toBe(url)
})

test('refuses a forbidden URL, without repeating it', () => {
  const { book } = open()
  expect(() => book.add('http://169.254.169.254/credentials', ['refusal'])).toThrow(
    expect.objectContaining({ code: 'WEBHOOK_REFUSED', message: expect.not.stringContaining('credentials') }),
  )
  expect(book.list()).toEqual([])
})

test('is disabled once, with the first reason, and removed with its pending events', () => {
  const { book, audit } = open()
  const { id } = book.add(url, ['refusal']).webhook
  book.disable(id, 'it answered 410: gone')
  audit.clock.now += 1
  book.disable(id, 'something else')
  expect(book.find(id)?.disabled).toEqual({ at: 1_000_000, why: 'it answered 410: gone' })
  expect([book.remove(id), book.remove(id), book.find(id)]).toEqual([true, false, undefined])
})
