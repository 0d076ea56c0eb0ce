/** Secrets of the instance: sizes, creation, file mode, and precedence of the environment. */
import { createECDH } from 'node:crypto'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretsOf } from './secrets.mjs'

const freshFolder = () => mkdtempSync(join(tmpdir(), 'secrets-'))
const sizeOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64url').length

test('secrets have their sizes, the VAPID keys belong together, and the file is private', () => {
  const dir = freshFolder()
  const made = secretsOf(dir)
  expect(sizeOf(made.SECRET_KEY_BASE)).toBe(64)
  expect(sizeOf(made.VAPID_PUBLIC_KEY)).toBe(65)
  expect(sizeOf(made.VAPID_PRIVATE_KEY)).toBe(32)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(made.VAPID_PRIVATE_KEY ?? '', 'base64url'))
  expect(pair.getPublicKey('base64url')).toBe(made.VAPID_PUBLIC_KEY)
  expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
})

test('the second start has the same secrets, and the environment takes precedence', () => {
  const dir = freshFolder()
  const made = secretsOf(dir)
  expect(secretsOf(dir)).toEqual(made)
  expect(secretsOf(dir, { SECRET_KEY_BASE: 'mine' })).toEqual({ ...made, SECRET_KEY_BASE: 'mine' })
})

test('the base before a change is taken from the file or the environment, which can also clear it', () => {
  const dir = freshFolder()
  const made = secretsOf(dir)
  const SECRET_KEY_BASE_PREVIOUS = 'the base before'
  expect(secretsOf(dir, { SECRET_KEY_BASE_PREVIOUS })).toEqual({ ...made, SECRET_KEY_BASE_PREVIOUS })
  writeFileSync(join(dir, 'secrets.json'), JSON.stringify({ ...made, SECRET_KEY_BASE_PREVIOUS }))
  expect(secretsOf(dir)).toEqual({ ...made, SECRET_KEY_BASE_PREVIOUS })
  expect(secretsOf(dir, { SECRET_KEY_BASE_PREVIOUS: '' })).toEqual(made)
})

test('an incomplete key pair and a damaged file are refused', () => {
  expect(() => secretsOf(freshFolder(), { VAPID_PUBLIC_KEY: 'only this' })).toThrow('set both or none')
  const dir = freshFolder()
  writeFileSync(join(dir, 'secrets.json'), '{}')
  expect(() => secretsOf(dir)).toThrow(/secrets\.json is damaged/)
})
