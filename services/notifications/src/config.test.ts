/** Invalid combinations of settings stop the start with the name of the variable. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readServiceConfig } from './config.js'

const point = Buffer.alloc(65, 4).toString('base64url')
const key = Buffer.alloc(32, 1).toString('base64url')

const dir = mkdtempSync(join(tmpdir(), 'mail-ca-'))
/** A file that begins like a certificate in DER form. */
const der = join(dir, 'ca.der')
writeFileSync(der, Buffer.from('308203583082024', 'hex'))
afterAll(() => rmSync(dir, { recursive: true }))

test('settings are read, and an empty environment is enough', () => {
  expect(readServiceConfig({ mode: 'production' }, {})).toMatchObject({
    smtpServer: '',
    smtpPort: 587,
    mailDir: '.data/mail',
    vapidPublicKey: '',
    vapidPrivateKey: '',
    allowAddresses: [],
  })
  const env = { VAPID_PUBLIC_KEY: point, VAPID_PRIVATE_KEY: key, OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8, ::1/128' }
  expect(readServiceConfig({ mode: 'test' }, env).allowAddresses).toEqual(['127.0.0.0/8', '::1/128'])
})

test.each([
  [{ VAPID_PUBLIC_KEY: point }, 'set both or none'],
  [{ VAPID_PUBLIC_KEY: key, VAPID_PRIVATE_KEY: key }, 'VAPID_PUBLIC_KEY'],
  [{ VAPID_PUBLIC_KEY: point, VAPID_PRIVATE_KEY: point }, 'VAPID_PRIVATE_KEY'],
  [{ OUTBOUND_ALLOW_ADDRESSES: '127.0.0.0/8' }, 'OUTBOUND_ALLOW_ADDRESSES'],
  [{ SMTP_CA_FILE: '/nonexistent' }, 'SMTP_CA_FILE names no readable file'],
  [{ SMTP_CA_FILE: '/etc' }, 'SMTP_CA_FILE names no readable file'],
  [{ SMTP_CA_FILE: der }, 'SMTP_CA_FILE names no readable file with certificates in PEM'],
])('%j is refused', (env, text) => {
  expect(() => readServiceConfig({ mode: 'production' }, env)).toThrow(text)
})
