/** `compose.yaml` as operators use it: starts with the built image, accepts a post, and stops. */
import { createHash, randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, natsBinary } from '@murmuration/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { asked, builtImages, compose, docker, eventually, run } from './containers.js'
import { type AnySpec, root } from './rendered.js'
import { defaultStreamBytes, spaceOf, streamNames } from './stream-space.js'

const STORES = 'murmuration-test-stores:local'
const here = fileURLToPath(root)

/** Service → name of the official image of its store. */
const official = async (): Promise<Record<string, string>> => {
  const { stdout } = await run(['cat', join(here, 'compose.yaml')])
  const { services } = parse(stdout.toString(), { merge: true }) as AnySpec
  return Object.fromEntries(
    ['postgres', 'nats', 'redis-state', 'redis-cache'].map((name) => [name, services[name].image as string]),
  )
}

/** True when each of these images is stored locally or can be pulled. */
const canPull = async (names: readonly string[]): Promise<boolean> => {
  for (const name of new Set(names)) {
    if ((await run([...(docker ?? []), 'image', 'inspect', name])).code === 0) continue
    if ((await run([...(docker ?? []), 'pull', '--quiet', name])).code !== 0) return false
  }
  return true
}

/** Builds one image with all three stores, on the base image of the product. */
const buildStores = async (folder: string): Promise<void> => {
  const { baseImage } = await import(new URL('bin/lib/base-image.mjs', root).href)
  const base = await baseImage(docker, () => {})
  for (const name of ['Dockerfile', 'postgres.sh'])
    await copyFile(join(here, 'e2e/shipping/stores', name), join(folder, name))
  await copyFile(natsBinary(), join(folder, 'nats-server'))
  await chmod(join(folder, 'nats-server'), 0o755)
  const words = ['build', '--quiet', '--network', 'host', '--build-arg', `BASE=${base}`, '--tag', STORES, folder]
  const built = await run([...(docker ?? []), ...words], { ...process.env, DOCKER_BUILDKIT: '1' })
  if (built.code !== 0) throw new Error(`the stores: ${built.stderr.slice(-2_000)}`)
}

describe('the file compose.yaml', () => {
  const read = async (): Promise<AnySpec> =>
    parse(await readFile(new URL('compose.yaml', root), 'utf8'), { merge: true }) as AnySpec

  test('NATS has space for the reserved bytes of all streams, whatever is free on the disk', async () => {
    const { configs, services } = await read()
    expect(services.core.environment.NATS_STREAM_BYTES).toBeUndefined()
    expect(spaceOf(configs.nats.content)).toBeGreaterThanOrEqual(streamNames.length * defaultStreamBytes)
  })

  test('a changed configuration of NATS changes its container', async () => {
    const { configs, services } = await read()
    const hash = createHash('sha256').update(configs.nats.content).digest('hex').slice(0, 16)
    expect(services.nats.labels['murmuration.config']).toBe(hash)
  })

  test('a changed image restarts NATS after its new permissions are written', async () => {
    const { services } = await read()
    expect(services.nats.depends_on['bus-logins']).toEqual({
      condition: 'service_completed_successfully',
      restart: true,
    })
    expect(services['bus-logins'].image).toBe(services.core.image)
  })
})

const needs = docker ? 'compose' : 'docker'

describe.skipIf(!docker || !compose)(`compose.yaml (needs ${needs})`, () => {
  const project = `murmuration-test-${randomBytes(4).toString('hex')}`
  let folder = ''
  let port = 0
  let env: NodeJS.ProcessEnv
  let files: string[]

  const composed = async (...words: string[]): Promise<string> => {
    const argv = [...(compose ?? []), '--project-name', project, '--project-directory', here]
    const { code, stdout, stderr } = await run([...argv, ...files.flatMap((file) => ['--file', file]), ...words], env)
    if (code !== 0) throw new Error(`compose ${words[0]}: ${stderr.slice(-4_000)}`)
    return stdout.toString()
  }
  const ctl = async (...words: string[]) =>
    JSON.parse(await composed('exec', '--no-TTY', 'core', 'ctl', ...words, '--json'))

  beforeAll(async () => {
    await builtImages()
    folder = await mkdtemp(join(tmpdir(), 'murmuration-compose-'))
    port = await freePort()
    const images = await official()
    const stores = (await canPull(Object.values(images)))
      ? {}
      : Object.fromEntries(
          Object.keys(images).map((name) => [
            name,
            { image: STORES, ...(name === 'postgres' ? { entrypoint: ['docker-entrypoint.sh'] } : {}) },
          ]),
        )
    if ('nats' in stores) {
      await buildStores(folder)
      Object.assign(stores.nats ?? {}, { entrypoint: ['nats-server'] })
    }
    const override = join(folder, 'override.yaml')
    // Overrides only the port, because 3000 may be in use, and the images of the stores if they cannot be pulled.
    const edge = { ports: `!override ["127.0.0.1:${port}:3000"]` }
    const text = JSON.stringify({ services: { ...stores, edge } }).replace(
      /"(!override )(\[[^\]]*\])"/,
      (_, tag, list) => `${tag}${list.replaceAll('\\"', '"')}`,
    )
    await writeFile(override, text)
    files = [join(here, 'compose.yaml'), override]
    env = {
      ...process.env,
      LOCAL_DOMAIN: `localhost:${port}`,
      POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
      SECRET_KEY_BASE: randomBytes(48).toString('hex'),
    }
    await composed('up', '--detach', '--no-build', '--pull', 'never', '--wait', '--wait-timeout', '600').catch(
      async (error: Error) => {
        const log = await composed('logs', '--no-color', '--tail', '20', 'postgres', 'migrate')
        throw new Error(`${log}\n${error.message}`, { cause: error })
      },
    )
  }, 900_000)

  afterAll(async () => {
    if (files) await composed('down', '--volumes', '--timeout', '60').catch(() => {})
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  test('every service is healthy, and services that run once exited with 0', async () => {
    const lines = (await composed('ps', '--all', '--format', 'json')).trim().split('\n')
    const states = lines.map((line) => JSON.parse(line) as AnySpec)
    const of = (name: string) => states.find((one) => one.Service === name)
    for (const name of ['edge', 'core', 'work', 'postgres', 'redis-state', 'redis-cache'])
      expect([name, of(name)?.State, of(name)?.Health]).toEqual([name, 'running', 'healthy'])
    expect(of('nats')?.State).toBe('running')
    for (const name of ['migrate', 'bus-logins']) expect([name, of(name)?.ExitCode]).toEqual([name, 0])
  })

  test('a post is created and read through the published port', async () => {
    await ctl('account', 'create', 'alice', '--email', 'alice@mail.example', '--confirmed', '--role', 'Owner')
    const { token } = await ctl('token', 'create', 'alice')
    const origin = `http://127.0.0.1:${port}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ status: 'posted through compose' })
    const made = await fetch(`${origin}/api/v1/statuses`, { method: 'POST', headers, body })
    expect(made.status).toBe(200)
    const { id } = (await made.json()) as { id: string }
    const home = await eventually('the post is in the home feed', async () => {
      const answer = await fetch(`${origin}/api/v1/timelines/home`, { headers })
      const page = (await answer.json()) as { id: string; content: string }[]
      return page.length ? page : null
    })
    expect(home).toEqual([expect.objectContaining({ id, content: '<p>posted through compose</p>' })])
  })

  test('the data survives down and up', async () => {
    await composed('down', '--timeout', '60')
    await composed('up', '--detach', '--no-build', '--pull', 'never', '--wait', '--wait-timeout', '600').catch(
      async (error: Error) => {
        const log = await composed('logs', '--no-color', '--tail', '20', 'postgres', 'migrate')
        throw new Error(`${log}\n${error.message}`, { cause: error })
      },
    )
    const { token } = await ctl('token', 'create', 'alice')
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/timelines/home`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await answer.json()).toEqual([expect.objectContaining({ content: '<p>posted through compose</p>' })])
  })

  test('a process that hangs is ended by the health check, and Docker restarts its container', async () => {
    const id = (await composed('ps', '--quiet', 'work')).trim()
    const stop = `const { readdirSync, readFileSync } = require('node:fs')
      const pid = readdirSync('/proc').find((one) => /^\\d+$/.test(one) && one !== String(process.pid) && readFileSync('/proc/' + one + '/cmdline', 'utf8').includes('/bin/serve.js'))
      process.kill(Number(pid), 'SIGSTOP')`
    await composed('exec', '--no-TTY', 'work', 'node', '-e', stop)
    await expect
      .poll(() => asked('inspect', '--format', '{{.RestartCount}}', id), { timeout: 180_000, interval: 2_000 })
      .toBe('1')
    await expect
      .poll(() => asked('inspect', '--format', '{{.State.Health.Status}}', id), { timeout: 180_000, interval: 2_000 })
      .toBe('healthy')
  }, 400_000)

  test('down leaves no container of the project', async () => {
    await composed('down', '--volumes', '--timeout', '60')
    const filter = `label=com.docker.compose.project=${project}`
    expect(await asked('ps', '--all', '--quiet', '--filter', filter)).toBe('')
    expect(await asked('volume', 'ls', '--quiet', '--filter', filter)).toBe('')
  })
})
