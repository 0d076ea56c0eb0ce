/** Secrets of the instance: created once, stored in a private file of the data folder, and overridden by the environment. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivate } from './private-file.mjs'
import { refusal } from './say.mjs'

const names = ['SECRET_KEY_BASE', 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY']
const PREVIOUS = 'SECRET_KEY_BASE_PREVIOUS'

/**
 * Returns the secrets of the instance. Missing secrets are created and stored.
 * @param {string} dir folder of secrets.json, mode 0600
 * @param {Record<string, string | undefined>} env secrets that take precedence
 * @returns {Record<string, string>} SECRET_KEY_BASE (64 bytes), VAPID_PUBLIC_KEY (65 bytes, uncompressed point) and
 *   VAPID_PRIVATE_KEY (32 bytes), each in base64url; and SECRET_KEY_BASE_PREVIOUS, if the environment or the file has it
 */
export function secretsOf(dir, env = {}) {
  if (Boolean(env.VAPID_PUBLIC_KEY) !== Boolean(env.VAPID_PRIVATE_KEY)) {
    throw refusal('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together: set both or none.')
  }
  const kept = keptSecrets(join(dir, 'secrets.json'))
  const previous = env[PREVIOUS] ?? kept[PREVIOUS]
  return {
    ...Object.fromEntries(names.map((name) => [name, env[name] || kept[name]])),
    ...(previous && { [PREVIOUS]: previous }),
  }
}

function keptSecrets(file) {
  if (existsSync(file)) {
    const kept = parsed(readFileSync(file, 'utf8'))
    if (names.every((name) => typeof kept?.[name] === 'string')) return kept
    throw refusal(`${file} is damaged: bring it back, because what it protects cannot be read without it.`)
  }
  const made = { SECRET_KEY_BASE: randomBytes(64).toString('base64url'), ...vapidKeys() }
  writePrivate(file, `${JSON.stringify(made, null, 2)}\n`)
  return made
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Creates a VAPID key pair (RFC 8292) in the raw form that push services and browsers use. */
function vapidKeys() {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return { VAPID_PUBLIC_KEY: point.toString('base64url'), VAPID_PRIVATE_KEY: d }
}
