/**
 * Replaces `generateKeyPair('rsa')` in tests and in the processes that they start. Keys are from a pool of `POOL` keys
 * that all test processes share. A new key costs 185 ms of CPU, and the tests create thousands of accounts. After
 * `POOL` accounts, a process gets the same keys again.
 */
import crypto, { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

interface KeyPair {
  publicKey: string
  privateKey: string
}
interface Options {
  modulusLength?: number
  publicKeyEncoding?: object
}

const POOL = 48
const pem = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const
const folder = fileURLToPath(new URL('../../../.data/test-keys', import.meta.url))

const fromDisk = (file: string): KeyPair | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as KeyPair
  } catch {
    return null
  }
}

const replaceGenerator = (): void => {
  const original = promisify(crypto.generateKeyPair) as (type: string, options: unknown) => Promise<unknown>
  let next = Math.floor(Math.random() * POOL)

  const fromPool = async (): Promise<KeyPair> => {
    const file = join(folder, `${next++ % POOL}.json`)
    const known = fromDisk(file)
    if (known) return known
    const made = (await original('rsa', pem)) as KeyPair
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const unfinished = `${file}.${process.pid}.${next}`
    writeFileSync(unfinished, JSON.stringify(made), { mode: 0o600 })
    renameSync(unfinished, file)
    return made
  }
  const generate = async (type: string, options: Options = {}): Promise<unknown> => {
    if (type !== 'rsa' || options.modulusLength !== 2048) return original(type, options)
    const pair = await fromPool()
    return options.publicKeyEncoding
      ? pair
      : { publicKey: createPublicKey(pair.publicKey), privateKey: createPrivateKey(pair.privateKey) }
  }
  const withCallback = (type: string, options: Options, done: (...result: unknown[]) => void): void => {
    generate(type, options).then(
      (pair) => done(null, (pair as KeyPair).publicKey, (pair as KeyPair).privateKey),
      (error) => done(error),
    )
  }
  Object.assign(crypto, { generateKeyPair: Object.assign(withCallback, { [promisify.custom]: generate }) })
  // Updates the named imports of `node:crypto`, so that imports of `generateKeyPair` refer to the replacement too.
  syncBuiltinESMExports()
}

const REPLACED = Symbol.for('murmuration.test.rsa-keys')
const state = globalThis as { [REPLACED]?: true }
if (!state[REPLACED]) replaceGenerator()
state[REPLACED] = true
