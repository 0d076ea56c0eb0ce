/** Starts and stops PostgreSQL, NATS and Redis on loopback, with their data below one folder. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lockDataFolder } from './data-folder-lock.mjs'
import { root } from './machine.mjs'
import { makeMemoryFolder } from './memory-folder.mjs'
import { startNats } from './nats.mjs'
import { choosePorts } from './ports.mjs'
import { startPostgres } from './postgres.mjs'
import { writePrivate } from './private-file.mjs'
import { startRedis } from './redis.mjs'
import { refusal, say as sayAloud, shown } from './say.mjs'

/**
 * @typedef {{pg: number, nats: number, natsMonitor: number, redis: number}} Ports
 * @typedef {object} BackingOptions
 * @property {string} [dir] data folder, default .data
 * @property {Partial<Ports>} [ports] required ports; others are those of the previous start, or else free ones
 * @property {(ports: Ports) => string | Promise<string>} [natsConfig] text that is added to the NATS configuration
 * @property {(text: string) => void} [say]
 * @property {{pg?: boolean, nats?: boolean, redis?: boolean}} [skip] servers that are not started
 * @property {boolean} [fresh] deletes existing data first
 * @property {boolean} [lasting] data survives a crash of the machine; otherwise PostgreSQL and NATS do not wait for the disk, and
 *   fresh data is in memory if enough memory is free
 * @property {Awaited<ReturnType<typeof lockDataFolder>>} [hold] lock of the folder, if the caller has it already
 * @property {AbortSignal} [signal] aborts the start; started servers are stopped
 * @property {(sentence: string) => void} [onLost] called when a server ended unexpectedly
 */

/**
 * Starts the backing servers and waits until they respond.
 * @param {BackingOptions} options
 * @returns {Promise<{env: Record<string, string>, ports: Ports, pids: Record<string, number>, memory: string | null, stop: () => Promise<void>}>}
 *   env: DATABASE_URL, NATS_URL, NATS_MONITOR_URL and REDIS_URL of started servers; memory: the folder in memory, or null
 */
export async function startBacking({
  dir = join(root, '.data'),
  ports: asked,
  natsConfig,
  say = sayAloud,
  skip = {},
  fresh = false,
  lasting = true,
  hold,
  signal,
  onLost = say,
}) {
  const folder = resolve(dir)
  const held = hold ?? (await lockDataFolder(folder))
  const children = []
  const memory = fresh && !lasting ? makeMemoryFolder(folder) : null
  let stopping
  const stop = () => {
    stopping ??= Promise.all(children.map((child) => child.stop())).then(() => {
      if (memory !== null) rmSync(memory, { recursive: true, force: true })
      if (!hold) held.release()
    })
    return stopping
  }
  const onStart = (child) => {
    children.push(child)
    child.ended.then(
      (how) => stopping ?? (up && onLost(`${child.name} ended by itself (${how}); see ${shown(join(folder, 'log'))}.`)),
    )
  }
  let up = false
  try {
    if (fresh) for (const name of ['pg', 'nats', 'redis']) rmSync(join(folder, name), { recursive: true, force: true })
    const ports = await choosePorts(folder, ['pg', 'nats', 'natsMonitor', 'redis'], asked)
    const passwords = passwordsOf(folder)
    const common = { dir: folder, data: memory ?? folder, hold: held, say, signal, onStart }
    const [pg, nats, redis] = await allOrReasons([
      skip.pg ? null : startPostgres({ ...common, port: ports.pg, password: passwords.pg, lasting }),
      skip.nats ? null : startNatsConfigured({ ...common, ports, natsConfig, lasting }),
      skip.redis ? null : startRedis({ ...common, port: ports.redis, password: passwords.redis }),
    ])
    up = true
    return {
      env: {
        ...(pg && { DATABASE_URL: pg.url }),
        ...(nats && { NATS_URL: nats.url, NATS_MONITOR_URL: nats.monitorUrl }),
        ...(redis && { REDIS_URL: redis.url }),
      },
      ports,
      memory,
      pids: Object.fromEntries(children.map((child) => [child.name.toLowerCase(), child.pid])),
      stop,
    }
  } catch (error) {
    await stop()
    throw signal?.aborted ? signal.reason : error
  }
}

async function startNatsConfigured({ ports, natsConfig, ...common }) {
  const extra = (await natsConfig?.(ports)) ?? ''
  return startNats({ ...common, port: ports.nats, monitorPort: ports.natsMonitor, extra })
}

/** Waits for the starts of all servers, so that no start continues after another one failed. Throws one error with all reasons. */
async function allOrReasons(starts) {
  const results = await Promise.allSettled(starts)
  const reasons = results.filter((result) => result.status === 'rejected').map((result) => result.reason)
  const defect = reasons.find((reason) => reason.name !== 'Refusal')
  if (defect) throw defect
  if (reasons.length) throw refusal(reasons.map((reason) => reason.message).join('\n'))
  return results.map((result) => result.value)
}

/**
 * Passwords of PostgreSQL and Redis, which are created at the first start. They are needed because other users of the
 * machine reach loopback, too.
 */
function passwordsOf(dir) {
  const file = join(dir, 'passwords.json')
  const kept = keptPasswords(file)
  if (kept) return kept
  const data = join(dir, 'pg')
  if (existsSync(data)) {
    throw refusal(
      `${shown(file)} is missing or damaged, and ${shown(data)} opens only with it: bring it back, or move the pg folder away.`,
    )
  }
  const made = { pg: randomBytes(24).toString('base64url'), redis: randomBytes(24).toString('base64url') }
  writePrivate(file, JSON.stringify(made))
  return made
}

function keptPasswords(file) {
  try {
    const { pg, redis } = JSON.parse(readFileSync(file, 'utf8'))
    return pg && redis ? { pg, redis } : null
  } catch {
    return null
  }
}
