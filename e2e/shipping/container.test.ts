/** The built images as in a cluster: read-only, with their own user, without capabilities, one container for each role. */
import { randomBytes } from 'node:crypto'
import { authorizationBlock, permissionsOf } from '@murmuration/bus'
import { busNeedsOf, derive, operatorNeeds } from '@murmuration/kernel'
import { dropDatabase, freePort, startNats, type TestNats, testRedisUrl } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadAll } from '../../bin/services.js'
import { asked, builtImages, createContainers, docker, eventually, type Output } from './containers.js'
import { keyOf, type Role, roles } from './rendered.js'

const USER = '10001:10001'
const BLOB_DIR = '/var/lib/murmuration/blob'
const GRACE_SECONDS = 40

const json = async (origin: string, path: string, token: string, init: RequestInit = {}) => {
  const answer = await fetch(origin + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${text.slice(0, 300)}`)
  // biome-ignore lint/suspicious/noExplicitAny: entities of every kind.
  return { status: answer.status, body: JSON.parse(text) as any }
}

describe.skipIf(!docker)('the images (needs docker)', () => {
  const containers = createContainers()
  const adminUrl = process.env.DATABASE_URL ?? ''
  const database = `t_${randomBytes(6).toString('hex')}`
  const ports = new Map<Role, { health: number; http: number }>()
  let images: { app: string; media: string }
  let nats: TestNats
  let env: Record<string, string>

  /** Runs a command of the image with the settings of the product until it ends. */
  const once = (image: string, ...command: string[]): Promise<Output> => containers.once({ image, command, env })
  const portsOf = (service: string, role: string) => {
    const found = [...ports].find(([one]) => one.service === service && one.role === role)
    if (!found) throw new Error(`no container runs ${service}:${role}`)
    return found[1]
  }

  beforeAll(async () => {
    images = await builtImages()
    const secretKeyBase = randomBytes(32).toString('base64url')
    const apps = await loadAll()
    const operations = apps.flatMap((app) => app.manifest.operations.map(({ operation }) => operation.subject))
    const needs = [...apps.map((app) => busNeedsOf(app.manifest)), operatorNeeds(operations)]
    nats = await startNats(
      authorizationBlock(
        needs.map((one) => ({
          user: one.service,
          password: derive({ secretKeyBase }, `bus:${one.service}`),
          permissions: permissionsOf(one),
        })),
      ),
    )
    const databaseUrl = new URL(adminUrl)
    databaseUrl.pathname = `/${database}`
    for (const role of roles) ports.set(role, { health: await freePort(), http: await freePort() })
    env = {
      MODE: 'production',
      SECRET_KEY_BASE: secretKeyBase,
      LOCAL_DOMAIN: `localhost:${portsOf('gateway', 'client').http}`,
      DATABASE_URL: databaseUrl.toString(),
      DB_POOL: '3',
      DB_POOL_TIMEOUT: '10000',
      NATS_URL: nats.url,
      NATS_USERS: 'derived',
      NATS_STREAM_BYTES: '268435456',
      REDIS_URL: testRedisUrl(),
      BLOB_DIR,
    }
    const migrated = await once(images.app, 'migrate')
    expect(migrated.code, migrated.stderr).toBe(0)
    const startRole = (role: Role) => {
      const { health, http } = portsOf(role.service, role.role)
      return containers.start({
        name: keyOf(role),
        image: images[role.image],
        command: ['serve', `${role.service}:${role.role}`],
        env: { ...env, HEALTH_PORT: String(health), PORT: String(http) },
        // Restarted as in a cluster, because NATS on a busy machine may refuse some of 23 simultaneous logins.
        words: ['--volume', `${containers.volume}:${BLOB_DIR}`, '--restart', 'on-failure:5'],
      })
    }
    // The first container that mounts the volume sets its owner.
    const [first, ...others] = roles
    if (first) await startRole(first)
    await Promise.all(others.map(startRole))
  }, 900_000)

  afterAll(async () => {
    if (!docker) return
    await containers.remove()
    await nats?.stop()
    await dropDatabase(adminUrl, database)
  })

  test.each(roles.map((role) => [`${role.service}:${role.role}`, role] as const))(
    '%s becomes ready',
    async (_, role) => {
      const { health } = portsOf(role.service, role.role)
      const ready = eventually(`${keyOf(role)} is ready`, async () => {
        if (!(await containers.state(keyOf(role))).Running) throw new Error('it ended')
        return (await fetch(`http://127.0.0.1:${health}/readyz`)).status === 200 || null
      })
      await ready.catch(async (error) => {
        throw new Error(await containers.logs(keyOf(role)), { cause: error })
      })
    },
  )

  test('a post, a picture and a video can be created and read, and a stream delivers the post', async () => {
    const word = async (...command: string[]) => {
      const { code, stdout, stderr } = await once(images.app, 'ctl', ...command, '--json')
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout.toString())
    }
    await word('account', 'create', 'alice', '--email', 'alice@mail.example', '--confirmed')
    const { token } = await word('token', 'create', 'alice')
    const origin = `http://127.0.0.1:${portsOf('gateway', 'client').http}`

    const streaming = `http://127.0.0.1:${portsOf('streaming', 'ws').http}/api/v1/streaming/user`
    const ending = new AbortController()
    const stream = await fetch(streaming, { headers: { authorization: `Bearer ${token}` }, signal: ending.signal })
    expect(stream.status).toBe(200)

    const film = await once(
      images.media,
      ...['ffmpeg', '-loglevel', 'error', '-f', 'lavfi', '-i', 'testsrc=duration=1:size=160x120:rate=10'],
      ...['-f', 'webm', '-c:v', 'libvpx', 'pipe:1'],
    )
    expect(film.code, film.stderr).toBe(0)
    const form = new FormData()
    form.append('file', new File([new Uint8Array(film.stdout)], 'film.webm', { type: 'video/webm' }))
    form.append('description', 'test pattern')
    const { body: uploaded } = await json(origin, '/api/v2/media', token, { method: 'POST', body: form })
    const media = await eventually('the video is processed', async () => {
      const { status, body } = await json(origin, `/api/v1/media/${uploaded.id}`, token)
      return status === 200 && body.url ? body : null
    })
    expect(media).toMatchObject({ type: 'gifv', description: 'test pattern' })
    for (const address of [media.url, media.preview_url]) {
      const file = await fetch(origin + new URL(address).pathname)
      expect([file.status, Number(file.headers.get('content-length')) > 0]).toEqual([200, true])
    }

    const { body: posted } = await json(origin, '/api/v1/statuses', token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'posted through containers #image', media_ids: [media.id] }),
    })
    const told = (async () => {
      let text = ''
      for await (const bytes of stream.body ?? []) {
        text += Buffer.from(bytes).toString()
        if (text.includes('event: update') && text.includes(posted.id)) return true
      }
      return false
    })()
    expect(await told).toBe(true)
    ending.abort()
    const home = await eventually('the post is in the home feed', async () => {
      const { body } = await json(origin, '/api/v1/timelines/home', token)
      return body.length ? body : null
    })
    expect(home[0]).toMatchObject({
      id: posted.id,
      content: expect.stringContaining('posted through containers'),
      media_attachments: [{ id: media.id, type: 'gifv' }],
    })
    // Documents for other servers are served by the role gateway:federation.
    const federation = `http://127.0.0.1:${portsOf('gateway', 'federation').http}`
    const note = await fetch(federation + new URL(posted.uri).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    expect([note.status, ((await note.json()) as { id: string }).id]).toEqual([200, posted.uri])
  })

  test('a process runs as the user of the image and can write only to /tmp and to the volume', async () => {
    const key = keyOf(roles.find((role) => role.needs.includes('blob')) as Role)
    const id = await containers.exec(key, 'sh', '-c', 'echo $(id -u):$(id -g) $(grep CapEff /proc/1/status)')
    expect(id.stdout.toString().trim()).toBe(`${USER} CapEff: 0000000000000000`)
    for (const folder of ['/', '/app', '/app/services', '/var/lib/murmuration', '/etc', '/usr/local/bin'])
      expect([folder, (await containers.exec(key, 'touch', `${folder}/written`)).code]).not.toEqual([folder, 0])
    for (const folder of ['/tmp', BLOB_DIR])
      expect([folder, (await containers.exec(key, 'touch', `${folder}/written`)).code]).toEqual([folder, 0])
  })

  test('SIGTERM to the first process of a container ends every role within its grace period with exit code 0', async () => {
    await Promise.all(roles.map((role) => containers.stop(keyOf(role), GRACE_SECONDS)))
    const ended = await Promise.all(
      roles.map(async (role) => {
        const { ExitCode, OOMKilled } = await containers.state(keyOf(role))
        return [keyOf(role), ExitCode, OOMKilled]
      }),
    )
    expect(ended).toEqual(roles.map((role) => [keyOf(role), 0, false]))
  })

  test.each([
    ['migrate that waits for PostgreSQL', ['migrate'], 'waiting for PostgreSQL'],
    ['a role that waits for its stores', ['serve', 'statuses:api'], ''],
  ])('SIGTERM ends %s before its grace is over', async (name, command, said) => {
    const nowhere = await freePort()
    await containers.start({
      ...{ name, command, image: images.app },
      env: {
        ...env,
        DATABASE_URL: `postgres://somebody@127.0.0.1:${nowhere}/nothing`,
        NATS_URL: `nats://127.0.0.1:${nowhere}`,
        DATABASE_WAIT: '300',
      },
    })
    await eventually('it says that it waits', async () => (await containers.logs(name)).includes(said) || null)
    await containers.stop(name, GRACE_SECONDS)
    // The exit code is not 0, because the work is not done, and not 137, which is the code after SIGKILL.
    expect((await containers.state(name)).ExitCode).toBe(128 + 15)
  })

  test('ctl prints its help without any setting', async () => {
    const { code, stdout } = await containers.once({ image: images.app, command: ['ctl', '--help'], env: {} })
    expect([code, stdout.toString()]).toEqual([
      0,
      expect.stringContaining('Runs a Murmuration server: accounts, moderation, federation and queues.'),
    ])
  })

  test.each(['app', 'media'] as const)(
    '%s contains the packages of its bill of materials and no others',
    async (name) => {
      const script = `
      const { readdirSync, readFileSync, existsSync } = require('node:fs')
      const found = new Set()
      const look = (folder) => {
        for (const one of existsSync(folder) ? readdirSync(folder) : []) {
          const path = folder + '/' + one
          if (one.startsWith('@') && one !== '@murmuration') look(path)
          else if (!one.startsWith('@') && existsSync(path + '/package.json')) {
            const { name, version } = JSON.parse(readFileSync(path + '/package.json'))
            found.add(name + '@' + version)
            look(path + '/node_modules')
          }
        }
      }
      for (const at of ['', '/services/accounts', '/packages/kernel']) look('/app' + at + '/node_modules')
      const { components } = JSON.parse(readFileSync('/app/sbom.cdx.json'))
      console.log(JSON.stringify({
        found: [...found].sort(),
        required: components.filter((one) => one.scope === 'required').map((one) => one.name + '@' + one.version).sort(),
        listed: components.map((one) => one.name + '@' + one.version),
      }))`
      const { stdout, stderr } = await containers.once({
        image: images[name],
        command: ['node', '-e', script],
        env: {},
      })
      const { found, required, listed } = JSON.parse(stdout.toString() || JSON.stringify({ stderr })) as Record<
        string,
        string[]
      >
      expect(found?.filter((one) => !listed?.includes(one))).toEqual([])
      expect(required?.filter((one) => !found?.includes(one))).toEqual([])
    },
  )

  test.each([
    ['app', 400],
    ['media', 900],
  ] as const)('%s has no tests, sources or package manager, and at most %d MB', async (name, max) => {
    const { stdout } = await containers.once({
      image: images[name],
      command: [
        ...[
          'sh',
          '-c',
          'find /app -path "*/node_modules/*" -prune -o \\( -name "*.ts" -o -name "*.test.*" -o -name test \\) -print;',
        ],
      ].map((word) => (word.startsWith('find') ? `${word} command -v npm npx apt-get dpkg corepack; true` : word)),
      env: {},
    })
    expect(stdout.toString()).toBe('')
    expect(Number(await asked('image', 'inspect', '--format', '{{.Size}}', images[name])) / 1e6).toBeLessThan(max)
  })
})
