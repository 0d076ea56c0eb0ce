/** The stores of the chart on loopback, with the logins, permissions and keys that make-secrets.sh writes. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openRedis } from '@murmuration/cache'
import { migrate } from '@murmuration/db'
import { databaseRoleOf } from '@murmuration/kernel'
import { createDatabase, dropDatabase, repository, startNats } from '@murmuration/testkit'
import { objectsOf } from '../../helm/render.js'
import { root } from './rendered.js'

const at = (path: string): string => fileURLToPath(new URL(path, root))

/** Name of a Secret → key → value. */
export type Secrets = Record<string, Record<string, string>>

export interface RenderedStores {
  /** Secrets with addresses of this machine instead of those in the cluster. */
  readonly secrets: Secrets
  readonly natsUrl: string
  /** Changes the rules of a service's Redis user, as `ACL SETUSER` takes them. */
  setRedisUser(service: string, ...rules: string[]): Promise<void>
  stop(): Promise<void>
}

/** Creates a Redis user per service and store on the Redis of the tests. The prefix separates the users of test files. */
const createRedisUsers = async (secrets: Secrets, prefix: string) => {
  const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
  const redis = await openRedis({ url, name: 'users' })
  const made: string[] = []
  for (const store of ['state', 'cache'])
    for (const line of secrets[`redis-${store}`]?.['users.acl']?.split('\n') ?? []) {
      const [, user = '', ...rules] = line.trim().split(' ')
      if (user === '' || user === 'default') continue
      made.push(`${prefix}_${store}_${user}`)
      await redis.client.sendCommand(['ACL', 'SETUSER', `${prefix}_${store}_${user}`, ...rules])
    }
  return {
    /** The address in the Secret, with the server and user name of this machine. */
    addressOf: (text: string) => {
      const [own, there] = [new URL(text), new URL(url)]
      own.username = `${prefix}_${own.hostname === 'redis-cache' ? 'cache' : 'state'}_${own.username}`
      return `redis://${own.username}:${own.password}@${there.host}`
    },
    change: (service: string, rules: readonly string[]) =>
      redis.client.sendCommand(['ACL', 'SETUSER', `${prefix}_state_${service}`, ...rules]),
    stop: async () => {
      if (made.length) await redis.client.sendCommand(['ACL', 'DELUSER', ...made])
      await redis.close()
    },
  }
}

export const startRenderedStores = async (): Promise<RenderedStores> => {
  const adminUrl = process.env.DATABASE_URL ?? ''
  const database = `t_${randomBytes(6).toString('hex')}`
  const secretKeyBase = randomBytes(32).toString('hex')
  const { stdout } = await promisify(execFile)('sh', [at('k8s/stores/make-secrets.sh')], {
    env: { PATH: process.env.PATH, EXISTING: 'none', SECRET_KEY_BASE: secretKeyBase, DATABASE: database },
  })
  const secrets: Secrets = Object.fromEntries(
    objectsOf(stdout).map((object) => [object.metadata.name, object.stringData as Record<string, string>]),
  )
  const app = secrets.murmuration ?? {}
  const databaseUrl = await createDatabase(adminUrl, database)
  const owners = Object.keys(app).flatMap((key) => /^([A-Z]+)_DATABASE_URL$/.exec(key)?.[1]?.toLowerCase() ?? [])
  await Promise.all(
    owners.map((service) =>
      migrate({
        adminUrl: databaseUrl,
        service,
        role: databaseRoleOf({ secretKeyBase, databaseUrl }, service),
        dir: join(repository(), 'services', service, 'migrations'),
      }),
    ),
  )
  const users = await readFile(at('k8s/stores/nats/users.conf'), 'utf8')
  const nats = await startNats(users.replace('include "passwords.conf"', secrets.nats?.['passwords.conf'] ?? ''))
  const redis = await createRedisUsers(secrets, database)
  for (const [key, value] of Object.entries(app)) {
    if (key === 'NATS_URL') app[key] = nats.url
    else if (key.includes('REDIS')) app[key] = redis.addressOf(value)
    else if (key.endsWith('DATABASE_URL')) {
      const url = new URL(value)
      url.host = new URL(databaseUrl).host
      url.search = ''
      app[key] = url.toString()
    }
  }
  return {
    secrets,
    natsUrl: nats.url,
    setRedisUser: async (service, ...rules) => void (await redis.change(service, rules)),
    async stop() {
      await nats.stop()
      await redis.stop()
      await dropDatabase(adminUrl, database)
    },
  }
}
