/**
 * `npm start`: from a fresh clone to a running server. Installs missing packages, starts the backing services (except those in
 * DATABASE_URL, NATS_URL and REDIS_URL), migrates, starts every service and prints the address. PORT (3000), LOCAL_DOMAIN
 * (localhost:PORT) and WEB_DOMAIN set the address; DATA_DIR (.data) contains all data.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startBacking } from './lib/backing.mjs'
import { bootstrap } from './lib/bootstrap.mjs'
import { lockDataFolder } from './lib/data-folder-lock.mjs'
import { interruption } from './lib/interruption.mjs'
import { root } from './lib/machine.mjs'
import { checkOperatorStores } from './lib/operator-stores.mjs'
import { isFree } from './lib/ports.mjs'
import { processes, threads } from './lib/processes.mjs'
import { firstAdmin, hasSource, migrate, natsAuthorization, startProduct } from './lib/product.mjs'
import { explain, refusal, say } from './lib/say.mjs'
import { secretsOf } from './lib/secrets.mjs'
import { bundleToFile } from './lib/single-file-bundle.mjs'
import { welcome } from './lib/welcome.mjs'

const dataDir = resolve(root, process.env.DATA_DIR || '.data')
const logDir = join(dataDir, 'log')
const envFile = join(dataDir, 'env.json')
const adminFile = join(dataDir, 'first-admin.json')

async function start() {
  const { signal, stop, over } = interruption()
  const node = bootstrap()
  const port = portNumber(process.env.PORT || '3000')
  const hold = await lockDataFolder(dataDir)
  const toStop = []
  signal.addEventListener('abort', () => say('stopping'))
  try {
    const product = await bringUp({ node, port, hold, signal, onLost: (sentence) => stop(refusal(sentence)), toStop })
    await Promise.race([over, product.gaveUp])
    signal.throwIfAborted()
  } catch (error) {
    // An error after a stop was requested is a consequence of the stop, and no failure.
    const reason = signal.aborted ? signal.reason : error
    if (reason.name !== 'AbortError') throw reason
  } finally {
    for (const end of toStop.reverse()) await end()
    rmSync(envFile, { force: true })
    hold.release()
    say('everything has stopped')
  }
}

/**
 * Starts the backing services and the product. Adds functions that stop them to `toStop` as soon as something runs.
 * Ends soon after the signal is aborted.
 */
async function bringUp({ node, port, hold, signal, onLost, toStop }) {
  if (!(await isFree(port))) {
    throw refusal(
      `Port ${port} is taken by another program: stop that one, or choose another with PORT=NUMBER npm start.`,
    )
  }
  const given = process.env
  await checkOperatorStores(given)
  const env = { ...settings(port), ...secretsOf(dataDir, given) }
  const skip = { pg: Boolean(given.DATABASE_URL), nats: Boolean(given.NATS_URL), redis: Boolean(given.REDIS_URL) }
  if (!skip.nats && hasSource('bin/nats-config.ts')) env.NATS_USERS = 'derived'
  // An invalid setting of any service fails here, before any server is started.
  const authorization = await natsAuthorization(node, env, signal)
  const natsConfig = env.NATS_USERS && (() => authorization)
  const backing = await startBacking({ dir: dataDir, hold, skip, natsConfig, signal, onLost })
  toStop.push(backing.stop)
  Object.assign(env, backing.env)
  writeFileSync(envFile, JSON.stringify(env, null, 2), { mode: 0o600 })

  for (const warning of await migrate({ node, env, logDir, signal })) say(warning)
  say('migrations are done')

  // A failed bundling is no failure of the start, because the bundle only makes bin/ctl start faster.
  const command = bundleToFile(root, 'bin/ctl.ts').catch((error) => say(`bin/ctl will start slowly: ${error.message}`))
  const product = await startProduct({ table: processes, threads, node, env, logDir, hold, say, signal })
  toStop.push(product.stop)
  await product.ready
  say('every process is ready')
  await command
  welcome(port, await firstAdmin(node, env, signal), adminFile)
  return product
}

/** Environment variables of the product, without secrets. Variables that are set already take precedence. */
function settings(port) {
  const own = {
    MODE: 'development',
    PORT: port,
    LOCAL_DOMAIN: `localhost:${port}`,
    BLOB_DIR: join(dataDir, 'blob'),
    MAIL_DIR: join(dataDir, 'mail'),
  }
  const elsewhere = ['WEB_DOMAIN', 'DATABASE_URL', 'NATS_URL', 'NATS_USERS', 'REDIS_URL']
  const names = [...Object.keys(own), ...elsewhere].filter((name) => process.env[name] || own[name])
  return Object.fromEntries(names.map((name) => [name, process.env[name] || String(own[name])]))
}

function portNumber(text) {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw refusal(`PORT is "${text}": it must be a number from 1 to 65535.`)
}

try {
  await start()
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}
process.exit()
